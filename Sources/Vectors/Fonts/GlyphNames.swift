// The names of glyphs: the standard strings of CFF, the encodings of PDF, and the characters that
// names mean.

import Bytes

enum GlyphNames {
  /// The standard strings of CFF, with the numbers below 391.
  static let standard = words(
    """
    .notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft \
    parenright asterisk plus comma hyphen period slash zero one two three four five six seven \
    eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q \
    R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft a b c \
    d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde exclamdown \
    cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft \
    guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet \
    quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand questiondown \
    grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut \
    ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash \
    oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter \
    divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply \
    threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute \
    Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex \
    Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron \
    aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis \
    egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde \
    scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron exclamsmall \
    Hungarumlautsmall dollaroldstyle dollarsuperior ampersandsmall Acutesmall parenleftsuperior \
    parenrightsuperior twodotenleader onedotenleader zerooldstyle oneoldstyle twooldstyle \
    threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle nineoldstyle \
    commasuperior threequartersemdash periodsuperior questionsmall asuperior bsuperior \
    centsuperior dsuperior esuperior isuperior lsuperior msuperior nsuperior osuperior rsuperior \
    ssuperior tsuperior ff ffi ffl parenleftinferior parenrightinferior Circumflexsmall \
    hyphensuperior Gravesmall Asmall Bsmall Csmall Dsmall Esmall Fsmall Gsmall Hsmall Ismall \
    Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall \
    Wsmall Xsmall Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall exclamdownsmall \
    centoldstyle Lslashsmall Scaronsmall Zcaronsmall Dieresissmall Brevesmall Caronsmall \
    Dotaccentsmall Macronsmall figuredash hypheninferior Ogoneksmall Ringsmall Cedillasmall \
    questiondownsmall oneeighth threeeighths fiveeighths seveneighths onethird twothirds \
    zerosuperior foursuperior fivesuperior sixsuperior sevensuperior eightsuperior ninesuperior \
    zeroinferior oneinferior twoinferior threeinferior fourinferior fiveinferior sixinferior \
    seveninferior eightinferior nineinferior centinferior dollarinferior periodinferior \
    commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall Adieresissmall Aringsmall \
    AEsmall Ccedillasmall Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall Igravesmall \
    Iacutesmall Icircumflexsmall Idieresissmall Ethsmall Ntildesmall Ogravesmall Oacutesmall \
    Ocircumflexsmall Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall \
    Ucircumflexsmall Udieresissmall Yacutesmall Thornsmall Ydieresissmall 001.000 001.001 \
    001.002 001.003 Black Bold Book Light Medium Regular Roman Semibold
    """)

  /// Returns the names of the codes of an encoding; nil if there is no table for the encoding.
  static func encoding(_ name: String?) -> [String]? {
    switch name {
    case "StandardEncoding": standardEncoding
    case "WinAnsiEncoding": winAnsi
    case "MacRomanEncoding": macRoman
    default: nil
    }
  }

  static let standardEncoding: [String] = {
    var names = [String](repeating: ".notdef", count: 256)
    // Runs of codes have runs of standard strings. Each row is the first code, the first string and
    // the count.
    let runs = [
      (32, 1, 95), (161, 96, 15), (177, 111, 4), (182, 115, 8), (191, 123, 1), (193, 124, 8),
      (202, 132, 2), (205, 134, 4), (225, 138, 1), (227, 139, 1), (232, 140, 4), (241, 144, 1),
      (245, 145, 1), (248, 146, 4),
    ]
    for (code, first, count) in runs {
      for index in 0..<count { names[code + index] = standard[first + index] }
    }
    return names
  }()

  /// The names of WinAnsiEncoding. Codes without a name are bullets, as in PDF viewers.
  private static let winAnsi =
    ascii + ["bullet"]
    + words(
      """
      Euro bullet quotesinglbase florin quotedblbase ellipsis dagger daggerdbl circumflex \
      perthousand Scaron guilsinglleft OE bullet Zcaron bullet bullet quoteleft quoteright \
      quotedblleft quotedblright bullet endash emdash tilde trademark scaron guilsinglright oe \
      bullet zcaron Ydieresis space exclamdown cent sterling currency yen brokenbar section \
      dieresis copyright ordfeminine guillemotleft logicalnot hyphen registered macron degree \
      plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior \
      ordmasculine guillemotright onequarter onehalf threequarters questiondown Agrave Aacute \
      Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave \
      Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply \
      Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex \
      atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute \
      icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash \
      ugrave uacute ucircumflex udieresis yacute thorn ydieresis
      """)

  private static let macRoman =
    ascii + [".notdef"]
    + words(
      """
      Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex \
      adieresis atilde aring ccedilla eacute egrave ecircumflex edieresis iacute igrave \
      icircumflex idieresis ntilde oacute ograve ocircumflex odieresis otilde uacute ugrave \
      ucircumflex udieresis dagger degree cent sterling section bullet paragraph germandbls \
      registered copyright trademark acute dieresis notequal AE Oslash infinity plusminus \
      lessequal greaterequal yen mu partialdiff summation product pi integral ordfeminine \
      ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical florin approxequal \
      Delta guillemotleft guillemotright ellipsis space Agrave Atilde Otilde OE oe endash emdash \
      quotedblleft quotedblright quoteleft quoteright divide lozenge ydieresis Ydieresis fraction \
      currency guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase \
      quotedblbase perthousand Acircumflex Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex \
      Idieresis Igrave Oacute Ocircumflex apple Ograve Uacute Ucircumflex Ugrave dotlessi \
      circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ogonek caron
      """)

  /// The names of the codes 0 to 126.
  private static let ascii: [String] = {
    var names = [String](repeating: ".notdef", count: 32) + standard[1...95]
    names[39] = "quotesingle"
    names[96] = "grave"
    return names
  }()

  /// Returns the character of a name: from the table, or from names such as `uni0041` and `u1F600`.
  /// A suffix after a dot, which distinguishes forms of a character, is ignored.
  static func character(_ name: String) -> Int? {
    if let known = characters[name] { return known }
    let stem = Array(name.utf8.prefix { $0 != UInt8(ascii: ".") })
    if stem.count < name.utf8.count, !stem.isEmpty {
      return character(String(decoding: stem, as: UTF8.self))
    }
    if stem.count == 7, stem.starts(with: "uni".utf8) { return hexadecimal(stem[3...]) }
    if stem.count >= 5, stem.count <= 7, stem[0] == UInt8(ascii: "u") {
      return hexadecimal(stem[1...])
    }
    return nil
  }

  /// The standard Macintosh names of TrueType fonts, with the numbers below 258.
  static let macintosh = words(
    """
    .notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand \
    quotesingle parenleft parenright asterisk plus comma hyphen period slash zero one two three \
    four five six seven eight nine colon semicolon less equal greater question at A B C D E F G H \
    I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore \
    grave a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde \
    Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis \
    atilde aring ccedilla eacute egrave ecircumflex edieresis iacute igrave icircumflex idieresis \
    ntilde oacute ograve ocircumflex odieresis otilde uacute ugrave ucircumflex udieresis dagger \
    degree cent sterling section bullet paragraph germandbls registered copyright trademark acute \
    dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff \
    summation product pi integral ordfeminine ordmasculine Omega ae oslash questiondown exclamdown \
    logicalnot radical florin approxequal Delta guillemotleft guillemotright ellipsis \
    nonbreakingspace Agrave Atilde Otilde OE oe endash emdash quotedblleft quotedblright quoteleft \
    quoteright divide lozenge ydieresis Ydieresis fraction currency guilsinglleft guilsinglright \
    fi fl daggerdbl periodcentered quotesinglbase quotedblbase perthousand Acircumflex Ecircumflex \
    Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex apple Ograve \
    Uacute Ucircumflex Ugrave dotlessi circumflex tilde macron breve dotaccent ring cedilla \
    hungarumlaut ogonek caron Lslash lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute \
    yacute Thorn thorn minus multiply onesuperior twosuperior threesuperior onehalf onequarter \
    threequarters franc Gbreve gbreve Idotaccent Scedilla scedilla Cacute cacute Ccaron ccaron \
    dcroat
    """)

  /// Returns the number of the glyph in a name such as g123. Some programs give such names to
  /// glyphs that have no other name.
  static func number(in name: String) -> Int? {
    let bytes = Array(name.utf8)
    for prefix in ["g", "gid", "glyph", "cid", "index"] {
      let start = prefix.utf8.count
      guard bytes.starts(with: prefix.utf8), bytes.count > start, bytes.count <= start + 5 else {
        continue
      }
      let digits = bytes[start...]
      guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { continue }
      return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    return nil
  }

  private static let characters: [String: Int] = {
    var result: [String: Int] = [:]
    for word in Array(characterTable.utf8).split(separator: UInt8(ascii: " ")) {
      guard let sign = word.firstIndex(of: UInt8(ascii: "=")),
        let number = hexadecimal(word[(sign + 1)...])
      else { continue }
      result[String(decoding: word[..<sign], as: UTF8.self)] = number
    }
    return result
  }()

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard let part = hexDigit(digit) else { return nil }
      value = value << 4 | Int(part)
    }
    return digits.isEmpty ? nil : value
  }

  private static func words(_ text: String) -> [String] {
    Array(text.utf8).split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static let characterTable =
    """
    space=20 exclam=21 quotedbl=22 numbersign=23 dollar=24 percent=25 ampersand=26 \
    quoteright=2019 parenleft=28 parenright=29 asterisk=2A plus=2B comma=2C hyphen=2D period=2E \
    slash=2F zero=30 one=31 two=32 three=33 four=34 five=35 six=36 seven=37 eight=38 nine=39 \
    colon=3A semicolon=3B less=3C equal=3D greater=3E question=3F at=40 A=41 B=42 C=43 D=44 E=45 \
    F=46 G=47 H=48 I=49 J=4A K=4B L=4C M=4D N=4E O=4F P=50 Q=51 R=52 S=53 T=54 U=55 V=56 W=57 \
    X=58 Y=59 Z=5A bracketleft=5B backslash=5C bracketright=5D asciicircum=5E underscore=5F \
    quoteleft=2018 a=61 b=62 c=63 d=64 e=65 f=66 g=67 h=68 i=69 j=6A k=6B l=6C m=6D n=6E o=6F \
    p=70 q=71 r=72 s=73 t=74 u=75 v=76 w=77 x=78 y=79 z=7A braceleft=7B bar=7C braceright=7D \
    asciitilde=7E exclamdown=A1 cent=A2 sterling=A3 fraction=2044 yen=A5 florin=192 section=A7 \
    currency=A4 quotesingle=27 quotedblleft=201C guillemotleft=AB guilsinglleft=2039 \
    guilsinglright=203A fi=FB01 fl=FB02 endash=2013 dagger=2020 daggerdbl=2021 periodcentered=B7 \
    paragraph=B6 bullet=2022 quotesinglbase=201A quotedblbase=201E quotedblright=201D \
    guillemotright=BB ellipsis=2026 perthousand=2030 questiondown=BF grave=60 acute=B4 \
    circumflex=2C6 tilde=2DC macron=AF breve=2D8 dotaccent=2D9 dieresis=A8 ring=2DA cedilla=B8 \
    hungarumlaut=2DD ogonek=2DB caron=2C7 emdash=2014 AE=C6 ordfeminine=AA Lslash=141 Oslash=D8 \
    OE=152 ordmasculine=BA ae=E6 dotlessi=131 lslash=142 oslash=F8 oe=153 germandbls=DF \
    onesuperior=B9 logicalnot=AC mu=B5 trademark=2122 Eth=D0 onehalf=BD plusminus=B1 Thorn=DE \
    onequarter=BC divide=F7 brokenbar=A6 degree=B0 thorn=FE threequarters=BE twosuperior=B2 \
    registered=AE minus=2212 eth=F0 multiply=D7 threesuperior=B3 copyright=A9 Aacute=C1 \
    Acircumflex=C2 Adieresis=C4 Agrave=C0 Aring=C5 Atilde=C3 Ccedilla=C7 Eacute=C9 \
    Ecircumflex=CA Edieresis=CB Egrave=C8 Iacute=CD Icircumflex=CE Idieresis=CF Igrave=CC \
    Ntilde=D1 Oacute=D3 Ocircumflex=D4 Odieresis=D6 Ograve=D2 Otilde=D5 Scaron=160 Uacute=DA \
    Ucircumflex=DB Udieresis=DC Ugrave=D9 Yacute=DD Ydieresis=178 Zcaron=17D aacute=E1 \
    acircumflex=E2 adieresis=E4 agrave=E0 aring=E5 atilde=E3 ccedilla=E7 eacute=E9 \
    ecircumflex=EA edieresis=EB egrave=E8 iacute=ED icircumflex=EE idieresis=EF igrave=EC \
    ntilde=F1 oacute=F3 ocircumflex=F4 odieresis=F6 ograve=F2 otilde=F5 scaron=161 uacute=FA \
    ucircumflex=FB udieresis=FC ugrave=F9 yacute=FD ydieresis=FF zcaron=17E notequal=2260 \
    infinity=221E lessequal=2264 greaterequal=2265 partialdiff=2202 summation=2211 product=220F \
    pi=3C0 integral=222B Omega=2126 radical=221A approxequal=2248 Delta=2206 lozenge=25CA \
    apple=F8FF Euro=20AC ff=FB00 ffi=FB03 ffl=FB04 Alpha=391 Beta=392 Chi=3A7 Epsilon=395 \
    Eta=397 Gamma=393 Iota=399 Iotadieresis=3AA Kappa=39A Lambda=39B Mu=39C Nu=39D Omicron=39F \
    Phi=3A6 Pi=3A0 Psi=3A8 Rho=3A1 Sigma=3A3 Tau=3A4 Theta=398 Upsilon=3A5 Upsilondieresis=3AB \
    Xi=39E Zeta=396 alpha=3B1 alphatonos=3AC beta=3B2 chi=3C7 delta=3B4 epsilon=3B5 \
    epsilontonos=3AD eta=3B7 etatonos=3AE gamma=3B3 iota=3B9 iotatonos=3AF kappa=3BA lambda=3BB \
    nu=3BD omega=3C9 omicron=3BF phi=3C6 psi=3C8 rho=3C1 sigma=3C3 sigma1=3C2 tau=3C4 theta=3B8 \
    upsilon=3C5 upsilondieresistonos=3B0 xi=3BE zeta=3B6
    """
}
