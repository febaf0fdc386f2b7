// Optional content (layers): the groups that the file's default configuration hides, and marked
// content that belongs to a group.

import Bytes

struct OptionalContent {
  private var hidden: Set<Int> = []
  private let isUsed: Bool

  init(_ file: PDFFile) {
    guard let root = file.dictionary(file.trailer["Root"]),
      let properties = file.dictionary(root["OCProperties"])
    else {
      isUsed = false
      return
    }
    isUsed = true
    let settings = file.dictionary(properties["D"]) ?? PDFDictionary()
    if file.name(settings["BaseState"]) == "OFF" {
      for group in file.array(properties["OCGs"]) ?? [] { hide(group) }
      for group in file.array(settings["ON"]) ?? [] {
        if let number = group.reference { hidden.remove(number) }
      }
    }
    for group in file.array(settings["OFF"]) ?? [] { hide(group) }
  }

  private mutating func hide(_ group: PDFValue) {
    if let number = group.reference { hidden.insert(number) }
  }

  /// Returns whether content that belongs to a group, or to a membership dictionary, is shown.
  func shows(_ value: PDFValue, in file: PDFFile) -> Bool {
    guard isUsed else { return true }
    if let number = value.reference, hidden.contains(number) { return false }
    guard let dictionary = file.dictionary(value), file.name(dictionary["Type"]) == "OCMD" else {
      return true
    }
    if let rule = file.array(dictionary["VE"]) { return holds(rule, in: file, depth: 0) }
    let single = dictionary["OCGs"]
    let groups = file.array(single) ?? (file.dictionary(single) == nil ? [] : [single])
    guard !groups.isEmpty, file.budget.spend(.tableEntries, groups.count) else { return true }
    func isOn(_ group: PDFValue) -> Bool { !hidden.contains(group.reference ?? 0) }
    switch file.name(dictionary["P"]) {
    case "AllOn": return groups.allSatisfy(isOn)
    case "AnyOff": return !groups.allSatisfy(isOn)
    case "AllOff": return !groups.contains(where: isOn)
    default: return groups.contains(where: isOn)
    }
  }

  /// Returns the value of a visibility expression: And, Or or Not of groups and expressions.
  private func holds(_ rule: [PDFValue], in file: PDFFile, depth: Int) -> Bool {
    guard depth < 16, file.budget.spend(.tableEntries, rule.count + 10) else { return true }
    func part(_ value: PDFValue) -> Bool {
      if let inner = file.array(value) { return holds(inner, in: file, depth: depth + 1) }
      return !hidden.contains(value.reference ?? 0)
    }
    switch rule.first.flatMap({ file.name($0) }) {
    case "And": return rule.dropFirst().allSatisfy(part)
    case "Or": return rule.dropFirst().contains(where: part)
    case "Not": return rule.count < 2 || !part(rule[1])
    default: return true
    }
  }
}

extension ContentReader {
  func beginMark(isTagged: Bool) {
    guard marks.count < 4096, budget.spend(.objects) else { return }
    var isHidden = false
    if isTagged, name(0) == "OC", let name = name(1) {
      isHidden = !optionalContent.shows(resource("Properties", name), in: file)
    }
    marks.append(isHidden)
    if isHidden { hiddenMarks += 1 }
  }

  func endMark() {
    if marks.popLast() == true { hiddenMarks -= 1 }
  }
}
