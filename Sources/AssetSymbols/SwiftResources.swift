// Xcode's Swift symbols, such as `ColorResource.star`, and the members of Apple's frameworks that
// use them. The interface has the same shape as Xcode's, so that code written for it compiles.

/// A framework whose types get symbols.
package enum SymbolFramework: String, CaseIterable, Sendable {
  case swiftUI = "SwiftUI"
  case uiKit = "UIKit"
  case appKit = "AppKit"
}

/// The options of Swift symbols.
package struct SwiftSymbolOptions: Sendable {
  package var frameworks = SymbolFramework.allCases
  /// Whether `UIColor.star` is written beside `ColorResource.star`.
  package var hasExtensions = true
  package var warnsOfClashes = true
  /// Whether the file itself defines the resource types, for systems without them.
  package var definesResources = false

  package init() {}
}

// The availability of the resource types: `modern` is that of the types in the module
// DeveloperToolsSupport, `older` that of the types that the file itself defines.
private let modern = "@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)"
private let older = "@available(iOS 11.0, macOS 10.13, tvOS 11.0, *)"

extension SymbolAssets {
  /// Returns the source file of Xcode's Swift symbols.
  package func swiftResources(_ options: SwiftSymbolOptions) -> String {
    let file = SwiftResources(options: options, assets: self)
    return file.text
  }
}

struct SwiftResources {
  let options: SwiftSymbolOptions
  let colors: SymbolTree
  let images: SymbolTree

  init(options: SwiftSymbolOptions, assets: SymbolAssets) {
    self.options = options
    colors = SymbolTree(assets.colors)
    images = SymbolTree(assets.pictures)
  }

  var text: String {
    var out = SourceText()
    writeHead(&out)
    writeResources("Color", colors, to: &out)
    writeResources("Image", images, to: &out)
    if options.hasExtensions {
      out.line("// MARK: - Color Symbol Extensions -")
      out.line()
      for framework in SwiftFrameworkType.colors where admits(framework) {
        write(colors, for: framework, &out)
      }
      out.line("// MARK: - Image Symbol Extensions -")
      out.line()
      for framework in SwiftFrameworkType.images where admits(framework) {
        write(images, for: framework, &out)
      }
    }
    if options.definesResources { out.lines(resourceDefinitions(options.frameworks)) }
    // Every section ends with an empty line, but the file must not end with one.
    var text = out.text
    while text.hasSuffix("\n\n") { text.removeLast() }
    return text
  }

  private func admits(_ type: SwiftFrameworkType) -> Bool {
    options.frameworks.contains(type.framework)
  }

  private func writeHead(_ out: inout SourceText) {
    out.line("// swift-format-ignore-file")
    out.line("import Foundation")
    for framework in ["AppKit", "UIKit", "SwiftUI", "DeveloperToolsSupport"] {
      let known = SymbolFramework(rawValue: framework)
      if let known, !options.frameworks.contains(known) { continue }
      if known == nil, options.definesResources { continue }
      out.lines("#if canImport(\(framework))\nimport \(framework)\n#endif")
    }
    out.lines(
      """

      #if SWIFT_PACKAGE
      private let resourceBundle = Foundation.Bundle.module
      #else
      private class ResourceBundleClass {}
      private let resourceBundle = Foundation.Bundle(for: ResourceBundleClass.self)
      #endif

      """)
  }

  /// Writes the members of `ColorResource` or `ImageResource`.
  private func writeResources(_ kind: String, _ tree: SymbolTree, to out: inout SourceText) {
    let type = (options.definesResources ? "" : "DeveloperToolsSupport.") + kind + "Resource"
    out.line("// MARK: - \(kind) Symbols -")
    out.line()
    out.line(options.definesResources ? older : modern)
    out.block("extension \(type)") { out in
      write(tree, &out) { symbol, path, out in
        let name = swiftLiteral(symbol.asset.name)
        let what = "asset catalog \(kind.lowercased()) resource"
        out.line("/// The \"\(commentText(symbol.asset.name))\" \(what).")
        out.line(
          "static let \(swiftName(path.last ?? "")) = "
            + "\(type)(name: \"\(name)\", bundle: resourceBundle)")
      } clash: { symbol, out in
        if options.warnsOfClashes { out.line(clashWarning(symbol, kind.lowercased())) }
      }
    }
    out.line()
  }

  private func clashWarning(_ symbol: NamedSymbol, _ kind: String) -> String {
    let wanted = symbol.wanted.last ?? ""
    let name = swiftLiteral(symbol.asset.name)
    // A literal inside a literal: its escapes are part of the text.
    return "#warning(\"The \\\"\(name)\\\" \(kind) asset name resolves to the symbol "
      + "\\\"\(wanted)\\\" which already exists. Try renaming the asset.\")"
  }

  /// Walks a tree; namespaces become enumerations.
  private func write(
    _ tree: SymbolTree, _ out: inout SourceText, hasNamespaces: Bool = true,
    symbol: (NamedSymbol, [String], inout SourceText) -> Void,
    clash: (NamedSymbol, inout SourceText) -> Void = { _, _ in }
  ) {
    for node in tree.nodes {
      switch node {
      case .symbol(let named):
        if let path = named.path {
          symbol(named, path, &out)
        } else {
          let before = out.text.utf8.count
          clash(named, &out)
          if out.text.utf8.count == before { continue }
        }
      case .namespace(let name, let identifier, let inner):
        if !hasNamespaces { continue }
        out.line("/// The \"\(commentText(name))\" asset catalog resource namespace.")
        out.block("enum \(swiftName(identifier))") { out in
          write(inner, &out, symbol: symbol, clash: clash)
        }
      }
      out.line()
    }
  }

  /// Writes the members of one type of a framework.
  private func write(
    _ tree: SymbolTree, for type: SwiftFrameworkType, _ out: inout SourceText
  ) {
    out.line("#if canImport(\(type.framework.rawValue))")
    for (place, extended) in type.extensions.enumerated() {
      if place > 0 { out.line() }
      for line in options.definesResources ? type.olderAvailability : type.availability {
        out.line(line)
      }
      out.block("extension \(extended)") { out in
        // An extension of a protocol cannot have nested types.
        let isProtocol = extended.contains(" where ")
        write(tree, &out, hasNamespaces: !isProtocol) { symbol, path, out in
          let reference = "." + path.map(swiftName).joined(separator: ".")
          out.line("/// The \"\(commentText(symbol.asset.name))\" asset catalog \(type.kind).")
          let head = "static var \(swiftName(path.last ?? "")): \(type.name)"
          guard let condition = type.condition else {
            return out.line("\(head) { .init(\(reference)) }")
          }
          out.line(head + " {")
          out.margin("#if \(condition)")
          out.line("    .init(resource: \(reference))")
          out.margin("#else")
          out.line("    .init()")
          out.margin("#endif")
          out.line("}")
        }
      }
    }
    out.line("#endif")
    out.line()
  }
}

/// A type of a framework that has an initialiser for a resource.
struct SwiftFrameworkType {
  var framework: SymbolFramework
  var name: String
  /// The kind of the members: colour or image.
  var kind: String
  var extensions: [String]
  var availability: [String]
  var olderAvailability: [String]
  /// The condition of the compiler under which the type has an initialiser for a resource; nil if
  /// it always has one. If the condition is false, the members return an empty value.
  var condition: String?

  static let colors = [
    appKit("NSColor", kind: "color", since: "10.13"),
    uiKit("UIColor", kind: "color"),
    SwiftFrameworkType(
      framework: .swiftUI, name: "SwiftUI.Color", kind: "color",
      extensions: ["SwiftUI.Color", "SwiftUI.ShapeStyle where Self == SwiftUI.Color"],
      availability: [modern],
      olderAvailability: ["@available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)"]),
  ]

  static let images = [
    appKit("NSImage", kind: "image", since: "10.7"), uiKit("UIImage", kind: "image"),
  ]

  private static func appKit(_ name: String, kind: String, since: String) -> SwiftFrameworkType {
    SwiftFrameworkType(
      framework: .appKit, name: "AppKit." + name, kind: kind, extensions: ["AppKit." + name],
      availability: ["@available(macOS 14.0, *)", "@available(macCatalyst, unavailable)"],
      olderAvailability: [
        "@available(macOS \(since), *)", "@available(macCatalyst, unavailable)",
      ], condition: "!targetEnvironment(macCatalyst)")
  }

  private static func uiKit(_ name: String, kind: String) -> SwiftFrameworkType {
    SwiftFrameworkType(
      framework: .uiKit, name: "UIKit." + name, kind: kind, extensions: ["UIKit." + name],
      availability: ["@available(iOS 17.0, tvOS 17.0, *)", "@available(watchOS, unavailable)"],
      olderAvailability: [
        "@available(iOS 11.0, tvOS 11.0, *)", "@available(watchOS, unavailable)",
      ], condition: "!os(watchOS)")
  }
}
