// Streams of other programs, so that the decoders are not tested with our own encoders alone.
//
// The sources are `pattern(6000)` and `pattern(700)`. The streams were written by liblzfse (the
// reference encoder, through PyPI's pyliblzfse) and by zlib 1.2.13.

import Foundation

enum Fixtures {
  /// Returns stretches of 64 bytes: noise of three bits, a slow ramp, one value.
  static func pattern(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { index in
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return switch index / 64 % 3 {
      case 0: UInt8(state & 7)
      case 1: UInt8(index / 4 & 0xFF)
      default: 255
      }
    }
  }

  static func bytes(_ base64: String) -> [UInt8] {
    Data(base64Encoded: base64).map { Array($0) } ?? []
  }

  /// `pattern(6000)` as LZFSE: one `bvx2` block.
  static let entropyCoded = """
    YnZ4MnAXAACICDBqAPEAQEwgIVSAKgJQuwAAAD/8AAE3B3uu1cSoaBwCP8GNAADAAV4CAEgKAF1ndZ1xlnl2dr2P\
    XoDLB+DoagEAAAAAwKPwITwJ/8KX8Cc8C29DkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJ\
    kiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiQ5AAAAQLufUfzeYnwz\
    8xm784nB2puMK6AG28GP6R4f//5vfguBS8YM93EUYMLmiXPBCiYkngD6jzdFBu5K84pWWAWM+Vy0VCwKkm9sRcK7\
    XVUpSaBe9mNB07hi8TYWSDW/6BMWhx264vMzZLtDVVykgzd4TuA7/fccFjbuombMOCqnXYPb/4pkCmzF7NWdtujn\
    3mIhJV758XGwOt5rbkmRZqmrky6Kr1XzD+PGHXtKaMu7jK8K5sQeiRj/PjulykZhrqBf5nAA7xdbEFGXeIPEAHLl\
    x44de/br169fr169evXp06dPjx49evTnz58/b968efPly5cvT548efLjx48fL168ePHhw4cPDx48ePDfv3//7t27\
    d+/d3f29aNEDrdi86gXMuRennTc/Xrx48969e/du3bp1686dO3du3Lhx4759+/Zt27Zt265du3Zt2rRp0549e/Zs\
    2bJly44dO3Zs2LBhw379+vVr165du+7djXkKHriF9npPy6saZMIkWP74JS7MjxEjxowXL168WLFixYoTJ06cGDFi\
    xIgPHz582LBhw4YLFy5cmDBhwoQHDx48WLBgwYIDBw4cGDBgwID//v37169fv367u9ZNW5oGagEnrL7POXwyiScw\
    yY8LF65ct27dulWrVq1as2bNmhUrVqxYr169etWqVatWq1atWpUqVapUp06dOlWqVKlSo0aNGhUqVKhQnz59+tSp\
    U6dOu7t5M0Fd3vlIxXnr+HY0MpoSOBHegh8LFixZrly5cqVKlSpVpkyZMiVKlChRnjx58qRJkyZNlixZsiRJkiRJ\
    jhw5cqRIkSJFhgwZMiRIkCBBfvz48aNHjx49dncHFo+yxd/hAzazc+/8+fmMBW7l3W/fvv379evXrz9//vz58ePH\
    j//+/fv37du3b79+/fr16dOnT3/+/Pnz5cuXLz9+/Pjx4cOHD//9+/fv3bt3775799Y2r52naX6QL4TMvZlk4nrd\
    KA39dqQfM2bMmS9fvny5cuXKlSdPnjw5cuTIkR8/fvy4cePGjRcvXrw4ceLEiQ8fPny4cOHChQcPHjw4cODAgf/+\
    /fu3b9++fXd3i+qw3CMfMJwo2+f3Vc5bJqfCoh9kJzs5/Z0fJ06cOW/evHmzZs2aNWfOnDkzZsyYMV++fPmyZcuW\
    LVeuXLkyZcqUKU+ePHmyZMmSJUeOHDkyZMiQIT9+/PixY8eOHXd3//FbFh50J043cgO637BYI91tm1+wmhSYLFwi\
    fuhHPzZs2LJdu3btWrVq1apNmzZtWrRo0aI9e/bsWbNmzZotW7ZsWbJkyZIdO3bsWLFixYoNGzZsWLBgwYL9+vXr\
    V69evXrt7n6W4NZveVv3Z6tE8TEXyL1c2slj/7qK4ceDB0+eO3fu3KlTp06dOXPmzIkTJ06cN2/evGnTpk2bNWvW\
    rEmTJk2aM2fOnClTpkyZMWPGjAkTJkyYL1++fOnSpUuX3V0+5w5g8hTu20uSoL5f+JJ2OMFEOmacf/YnJIf6MWDA\
    kOHChQsXKlSoUGHChAkTIkSIEOHBgwcPGjRo0GB3190dwOxuJjPzHxj4LYXGkUPS7FVHttG8Ae4OXsTGpgoEqODu\
    7W6hr/24cePOffv27du1a9euPXv27NmxY8eO/fr169etW7duvXr16tWpU6dOffr06dOlS5cuPXr06NGhQ4cO/fnz\
    58+dO3fuvLv3OqfTFxYN0dQBCgGD59T/oP6kD7ArAIVZAf5YsWbNevXq1atVq1atOnXq1KlRo0aN+vTp06dNmzZt\
    unTp0qVJkyZNevTo0aNFixYtOnTo0KFBgwYN+vPnz589e/bsubsb1+FIuwYokwcQ8teGZV68UrOUHKDvP18TdOXH\
    hw9fvnv37t2rV69evXnz5s2LFy9evHfv3r1r165du3Xr1q1Lly5dunPnzp0rV65cuXHjxo0LFy5cuG/fvn3r1q1b\
    t93d6t7kwn3/Uelq/jYKlEkGBCjgXsdEgyXBQ8H2X534MWHClOnSpUuXKlWqVGnSpEmTIkWKFOnRo0ePGjVq1GjR\
    okWLEiVKlOjQoUOHChUqVGjQoEGDAgUKFOjPnz9/+vTp02d312ILqkNLDGysqHIHW4nW8mkcBk7CkthmcAJ11AgI\
    wBe+gf04cOTIcePGjRs1atSoMWPGjBkxYsSI8eLFixctWrRosWLFihUpUqRIceLEiRMlSpQoMWLEiBEhQoQI8eHD\
    hw8dOnTosLv7qTVBIl9499VacZFJqFngEHWQwj9tMtw+9YUGMxYAAAAAAAAAAABwArCUD7SU1f7qvQ13ep9BCCBS\
    ljvmsLXMqGhfRmD5BN4nlqGXVQgw0jMeSPSFzKJ0Qdsoz+L09fCDhWWf+B6uE0Akf4sGQtHrkc43yJx4cEzqFhlK\
    1fk2AU16mU2HXIpTdT6YM2utci/ZUSKSiQzqI0BIku3OxNpbPRiTyFwIg0i4yVpNrVUiAo7U6genF3+gnFhhDsaZ\
    czDO3dgyAkaqOnXATgjInN3ZLjYuGBUnLDIcASP9BcbecMV0+ham6Bz7wqia+mNWhyUgSEwWeqlc3NHMQf8baf4h\
    1kCGxxBHAEk2q7LBASBFvVGnIleMsdyhyJ0AIImmugRH+MQSqTVvse74kyo/BoqIACGFTbdb6pM6XzRtj+i/QIC9\
    IjQCQTLjt0CKqHzaroT7NZoHAkWKlIosk8G9mti1y4FXEkyh6bdtBB7pFSzz8Uxn4aABvR0RwiQ3dTpgQTtKt7xj\
    se3Wypr16H3CP6C7heJgDfMVnGrWBZSfvoqA2jezRD+ggYGkke961kSPDuJ2O5Uy6UV5wAJmndUX4QMM70GhCTpH\
    qRUOjkCc2XdcMb1wipTtLUXj2dVCA/qIhpbYwzqKtzV3wOEBIQDeL5QIrK239D8AhNUCefKalgNZ6Dr/MhAvh6mS\
    WcU4yAdoF54vVeR4H3gFAsH1xrQD+Z4rMavxwA66C3+sF5Sgy0Y/gIZS42GKTIm1og6CMKD4k1fx5UBFi4MWPWJ2\
    eCQ=
    """

  /// `pattern(700)` as LZFSE: one `bvxn` block.
  static let byteCoded = """
    YnZ4brwCAACGAQAA4AYBAQUHAQACAgUEAwcCBgUBAAABAQMBAAxAEgHAEQYHBOoEAgIGBwECAwcHABTnBQUDAwQF\
    BAAB5wMFBQYABxDzRhFGEkYTRhRGFUYWRhdGGEYZRhpGG0YcRh1GHkYfbv/wJ+oHBwYGAwACAwUEAJ3nAgIAAAYA\
    AADJQJwAQMAFwAYDAAbkBQUAAQAnAA6AMQIFgBUDBegGBAcDBgUEQAABRkFGQkZDRkRGRUZGRkdGSEZJRkpGS0ZM\
    Rk1GTkZPbv/wJ4CxBQbkAwABAAFR6AEHAAIABwYEAJ5AFQTkBgIFBQCz5QEDAAMHAK3ACwMHBUjjBUF9Bwmc5AcC\
    AHAAAUZxRnJGc0Z0RnVGdkZ3RnhGeUZ6RntGfEZ9Rn5Gf27/8CcAnUF9A0JFBADH5AMEAgUJiEFnAwFviMwCBeQC\
    AwIECZDkAwIABgJQ6wMEBAYFBQIHBwAHAMVAAaBGoUaiRqNGpEalRqZGp0aoRqlGqkar7KysrKytra2trq6urgYA\
    AAAAAAAAYnZ4JA==
    """

  /// `pattern(700)` as bare deflate with the fixed codes.
  static let fixedCodes = """
    Y2RkZWdkYGJiZWFmZ2JjZWRgYGRkZgSyGYEibOwsQAEWJiY2dkYmZnZ2oBgrKzMzCysLEDCzsrIxsAsAgSAQCAGB\
    MBCIAIEoEIgBgTgQSACBJBBIAYE0EMgAgSwQyAGBPBD8pxCws7OxMTMwMbOyAB3HxMTAwMbAAPQIA9BtrED3MzOw\
    AUlWVgZGoDIgj4kVqIGZFSjIxsLOzMbK4gAEjkDgBATOQOACBK5A4AYE7kDgAQSeQOAFBN5A4AMEvkDgBwT+QECp\
    +1nZgA5mZmBkAAYoIzsDEwM7GwvQdSxAQTYmVlagkxmZGZjZgY5lZmcFMllBXmQHBj4obtiZGAqAoBAIioCgGAhK\
    gKAUCMqAoBwIKoCgEgiqgKAaCGqAoBYI6oCgHggodT/QcczAwGcBJiKgN5hZmFhB8cAMDGZgcANTFdAvTMxMLKD4\
    YGZiYAOmJ2YWFjZWViZ2dgZ2oCcWAMFCIFgEBIuBYAkQLAWCZUCwHAhWAMFKIFgFBKuBYA0QrAWCdUAAAA==
    """

  /// `pattern(6000)` as zlib with dynamic codes.
  static let dynamicCodes = """
    eNrF2AOXJc0SheFEZeW1bdu2bdu2re/atm3btm3btr/77JqfcO5a5+010911atZERkbs2Jm1jllLa2Pps62jllJr\
    r36unqxz8WBpbZ219Tk9G6P3ZSzoY6xlHgFHxJFwZBwFR8XRcHQcA8fEsXBsHAfHxfFwfBy8I3Ouay+tj0VwrZWy\
    lmIhRWxD/L2s/h6jVK/5rQ3/oA8P12X2dSwXwAVxIVwYF8FFcTFcHJfAJXEpXBqXwWVxOVweu8Y/VgH3UouE1lla\
    mesiusXDtY0h5NpLn4Ltc/hxZIlT8rM3s5U74I64E+6Mu+CuuBvujnvgnrgX7o374L64Hw7CrvELrkv+oogsoy9t\
    ZB+6NEu3qrKW1tuS/eitrOqpL8s6RpuzTIt4Pl6AF+JFeDFegpfiZXg5XoFX4lV4NV6D1+J12Ll+ZF21ty7xo1Ub\
    MaW71JGNqb1Noc8lDZASWqu3kvay1mUZbe2fxxfwRXwJX8ZX8FV8DV/HN/BNfAvfxnfwXXwPO+df3y69FCXfmpTW\
    VZG0Ik7R+2SR+y58C1D1S7HetQ7lo9WbvSklHV9rg53s6ewxsvp1nTgEDolD4dA4DA6Lw+Hw2DX+rTpUjf6lO3Jb\
    6iL+rq3rKBYwsyuzTTWmdKpi07qFEGlf758BZ8SZcGacBWfF2XB2nAPnxLlwbpwH58X5cH7snP8+axRm7WnS5itS\
    2WZd1mYrCOsq/Vuo2SbPraaPbrUUa643wA1xI9wYN8FNcTPcHLfALXEr3Bq3wW1xO9weu8bfNGMh6GKll1UZadkx\
    k1/6ozSkvNa5KC/r0MRpmJXCLqSqzvl4PAFPxJPwZDwFT8XT8HQ8A8/Es/BsPAfPxfOwc/+OJpERfFFRmORUp2pi\
    P2hkVaLAfEWAdEfPWnT8KIaCfXo/PoAP4kP4MD6Cj+Jj+Dg+gU/iU/g0PoPP4nPYOf+TSIovsqmyzdaRltWi1iHQ\
    NRtjg5SX8LMOLWJpBLfn1d/jD/gj/oQ/4y/4K/6Gv+Mf+Cf+hX/jP/gvDv4/YPhGN2eCTMXUVsWmRVvsBLege1NO\
    U+0Tqb7Zhi7xmcsa/QQ4IU6EE+MkOClOhpPjFDglToVT4zQ4LU6H02PX+CsJzDwam3iKnEbWpRFE0c6sicwbbJyD\
    mBWPjjCWS1adPrkCrogr4cq4Cq6Kq+HquAauiWvh2rgOrovr4frYOX4zlchvesKzMXOKqCd8TSBMkk5Nq1FlW2iS\
    nl3yDjuXvan3xwPwQDwID8ZD8FA8DA/HI/BIPAqPxmPwWDwOu8bPDMjxXCL0EdBuLmU0DeOMlgqSk6CUppfR6y1z\
    N9LqQ00z6+vxBrwRb8Kb8Ra8FW/D2/EOvBPvwrvxHrwX78PO8Uu8SdntA6GMdCocgWXqZsCO2LbsiEmgYjR0yUSm\
    pyRLJ3wfP8AP8SP8GD/BT/Ez/By/wC/xK/wav8Fv8Tvs7t+UAqtc0rptOwzMOJv064xPsKwZf7HolGjVGhFtxhsJ\
    VV779v9yvhmfNeWcKrIDS6atwONzRBtnTe7TIV7169wMqrLTGPv2/9HLLt1LLH+Ehck3smIWtLCiaaw/ndfliZ/3\
    nNt7fZmZCXPf/p9NjH2IpKRwaGOd8fhrpppTjVbNp0a0vHPXY82xkoimkOR/3/6/xkvG9NN+/ZnACQ0vzNvIfIkZ\
    HTkirOlZbexzfsietM1I79v/l6hjUwr+tJzIa6KTZo9qjljEVSf3TOF1O7y3bRnOyn4ve/f/+e9zWtymqy3IccYE\
    26y/PUn/FhXT4tmquaC60iCtpag0zb79P+WJsC9S7AhJ2XOZkqXE4my9Gr3PQJBi3zV1ic5mA0zhtm//X5JfZrln\
    EbkT0bvsw7qpC/fAicYE+XA7OzrCp883YaJFS9+3/0+xqPScsXKCX7Y+zk2QKs+KdPd2/JVsm8FF1Mw7GxHX56iz\
    b/8vx9uFVQzNqJvSqBBG7sDjkj7OgbflRFOdM22So9d2Y0eY1n37/81+qp0cz0fMRIuzrDnk+r6mXPRAnMM4MMBq\
    jo/ZoRnfsXf/rztZ/CULYDcPGBul0jbNpDU5vtsQkZZcRZTcJeqKXCtmzeu+/X/MTcsQ3jSlp3S2+x7H9rLktjOn\
    mgzoUTZ9TTGxQ5H3EYO6b/+fm+WZmaqmF8XEMJD73F0xz3z/ZvQp0GJIm3DqKGea3OtGbduyb/8/YmUSmGlpWM3c\
    PI8t8dmF7SiQmZotqlnU/wCaZ5du
    """

  /// The first 40 bytes of `pattern(700)` as a stored deflate block.
  static let stored = """
    ASgA1/8BAQUHAQACAgUEAwcCBgUBAAABAQMBAwcCAQUEAwYHBAEAAAQCAgYH
    """

  /// `pattern(700)` as gzip with a file name.
  static let gzip = """
    H4sICAAAAAAC/2EuYmluAKXS1XHFQAyFYa3wNczQSviG00qYoZUwJy0mv2u434NnrbFnjqRtLaqJariVZjSR1qxx\
    blSynIKrZjW1KmoRZh4Oi0ipAQxiCMMYwSjGMI4JTGIK05jBLOYwj78+VWWaqIUTTlUkRWhEyBbkN0meEdL4jDcN\
    frCgmF6W4QtYxBKWsYJVrKGHdWxgE1vYxg52sYd+80cS2KQJA20lKpVOOqeYGkHkZmJFWKvgGF2LxfC73ZTKPg5w\
    iCMc4wSnOMM5LnCJK1zjBre4Q7/5CWcM37lEtGGu0e3BGDPj5lbRi5p6tw9TSe6TuWeEVknRxD0e8IgnPOMFr3jD\
    Oz7wiS984we/+AcYo3YmvAIAAA==
    """
}
