// Numbers for people: counts with their nouns, groups of digits, changes and sizes.

/// Returns a number with its noun: 1 file, 2,000 files
package func counted(_ count: Int, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// Returns a number without an unnecessary fraction.
package func brief(_ number: Double) -> String {
  if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
  let thousandths = (number * 1000).rounded() / 1000
  return String(thousandths)
}

/// Returns a number with all its digits, and without a fraction if it has none.
package func withAllDigits(_ number: Double) -> String {
  Int(exactly: number).map { String($0) } ?? "\(number)"
}

/// Returns a number with commas between thousands.
package func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number.magnitude).reversed().enumerated() {
    if index > 0, index % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + String(text.reversed())
}

/// Returns the change of a number: +1,200, -5 or 0.
package func signed(_ number: Int) -> String {
  number > 0 ? "+\(grouped(number))" : grouped(number)
}

/// Returns a size in decimal units, in the form of Apple's report.
package func decimalSize(_ bytes: Int) -> String {
  if bytes == 0 { return "Zero KB" }
  let (unit, name) = bytes < 1_000_000 ? (1_000, "KB") : (1_000_000, "MB")
  let tenths = (bytes * 10 + unit / 2) / unit
  return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
}
