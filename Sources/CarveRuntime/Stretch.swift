// Computes, for one direction at a time, from which pixels of the source each pixel of a stretched
// picture is made: the caps keep their size, the middle is repeated or stretched. A picture without
// slices has no caps.
//
//     source      ┌ first ┬ middle ┬ last ┐
//     target      ┌ first ┬ middle ┬ middle ┬ middle ┬ last ┐      the middle is repeated
//     target      ┌ first ┬──────── middle ─────────┬ last ┐       the middle is stretched

import Archive

/// The source of one place in the target: two adjacent places, and the weight of the second.
package struct Sample: Equatable {
  package var first: Int
  package var second: Int
  /// The weight of the second place, in 256ths.
  package var weight: UInt32
}

/// A range of places in the source.
package struct Segment {
  var start: Int
  var length: Int
  var end: Int { start + length }
}

/// The three parts of a picture in one direction.
package struct Stretch {
  var first: Segment
  var middle: Segment
  var last: Segment
  var fill: SlicingFill
  /// The longest source and target: twice the product of two such lengths and 2^7 is below 2^63.
  static let longest = 1 << 27

  /// Makes the plan of a picture that is stretched as a whole.
  init(whole length: Int) {
    first = Segment(start: 0, length: 0)
    middle = Segment(start: 0, length: length)
    last = Segment(start: length, length: 0)
    fill = .stretch
  }

  /// nil if a part reaches beyond the picture, if parts overlap, or if all are empty.
  init?(_ first: Segment, _ middle: Segment, _ last: Segment, fill: SlicingFill, length: Int) {
    guard first.start >= 0, first.end <= middle.start, middle.end <= last.start, last.end <= length,
      first.length + middle.length + last.length > 0
    else { return nil }
    self.first = first
    self.middle = middle
    self.last = last
    self.fill = fill
  }

  /// Returns the lengths of the parts in the target. If the caps do not fit, both shrink by the
  /// same factor.
  package func parts(of target: Int) -> (first: Int, middle: Int, last: Int) {
    let caps = first.length + last.length
    if caps <= target { return (first.length, target - caps, last.length) }
    let share = target * first.length / caps
    return (share, 0, target - share)
  }

  /// Returns one sample for each place of the target.
  package func samples(_ target: Int) -> [Sample] {
    if fill == .uniform {
      let whole = Segment(start: first.start, length: last.end - first.start)
      return (0..<target).map { Stretch.drawn(whole, at: $0, of: target) }
    }
    let parts = parts(of: target)
    var samples: [Sample] = []
    samples.reserveCapacity(target)
    for place in 0..<parts.first {
      samples.append(Stretch.drawn(first, at: place, of: parts.first))
    }
    for place in 0..<parts.middle {
      if fill == .tile, middle.length > 0 {
        let source = middle.start + place % middle.length
        samples.append(Sample(first: source, second: source, weight: 0))
      } else {
        samples.append(Stretch.drawn(middle, at: place, of: parts.middle))
      }
    }
    for place in 0..<parts.last { samples.append(Stretch.drawn(last, at: place, of: parts.last)) }
    return samples
  }

  /// Returns the sample of a stretched range: the centre of the target's pixel, scaled to the
  /// source, lies between the centres of two pixels there. No pixel outside of the range is used.
  private static func drawn(_ source: Segment, at place: Int, of target: Int) -> Sample {
    // An empty range repeats the pixel before it.
    guard source.length > 0 else {
      let neighbour = max(0, source.start - 1)
      return Sample(first: neighbour, second: neighbour, weight: 0)
    }
    // The value is in 256ths; it is below 2^63, because no length exceeds `longest`.
    let scaled = (2 * place + 1) * source.length * 128 / target - 128
    let clamped = min(max(scaled, 0), (source.length - 1) * 256)
    let first = source.start + clamped / 256
    return Sample(
      first: first, second: min(first + 1, source.end - 1), weight: UInt32(clamped % 256))
  }
}

/// The stretching of a picture in both directions.
package struct StretchPlan {
  package var across: Stretch
  package var down: Stretch
  /// Whether the middle of both directions stays transparent.
  package var isHollow = false

  package init(_ slicing: Slicing?, _ slices: [Slice], width: Int, height: Int) {
    across = Stretch(whole: width)
    down = Stretch(whole: height)
    guard let slicing else { return }
    func horizontal(_ index: Int) -> Segment {
      Segment(start: Int(slices[index].x), length: Int(slices[index].width))
    }
    // Slices count rows from the bottom, pictures from the top.
    func vertical(_ index: Int) -> Segment {
      let slice = slices[index]
      return Segment(
        start: height - Int(slice.y) - Int(slice.height), length: Int(slice.height))
    }
    switch slicing.mode {
    case .threePartHorizontal where slices.count == 3:
      across =
        Stretch(
          horizontal(0), horizontal(1), horizontal(2), fill: slicing.across, length: width)
        ?? across
    case .threePartVertical where slices.count == 3:
      down =
        Stretch(vertical(0), vertical(1), vertical(2), fill: slicing.down, length: height) ?? down
    case .ninePart where slices.count == 9, .edgesOnly where slices.count == 9:
      across =
        Stretch(
          horizontal(0), horizontal(1), horizontal(2), fill: slicing.across, length: width)
        ?? across
      down =
        Stretch(vertical(0), vertical(3), vertical(6), fill: slicing.down, length: height) ?? down
      isHollow = slicing.mode == .edgesOnly
    default: break
    }
  }
}
