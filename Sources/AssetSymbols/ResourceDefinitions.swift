// The definitions of the resource types, for systems that are older than these types. They are the
// end of the file that SwiftResources.swift writes.

/// Returns `ColorResource`, `ImageResource`, and the initialisers of each framework that use them.
func resourceDefinitions(_ frameworks: [SymbolFramework]) -> String {
  var text = "// MARK: - Backwards Deployment Support -\n\n"
  for kind in ["Color", "Image"] {
    text += """
      /// The name of \(kind == "Color" ? "a color" : "an image") in an asset catalog.
      struct \(kind)Resource: Swift.Hashable, Swift.Sendable {

          fileprivate let name: Swift.String
          fileprivate let bundle: Foundation.Bundle

          init(name: Swift.String, bundle: Foundation.Bundle) {
              self.name = name
              self.bundle = bundle
          }

      }


      """
  }
  for framework in [SymbolFramework.appKit, .uiKit, .swiftUI] where frameworks.contains(framework) {
    text += definitions(framework)
  }
  return text
}

private func definitions(_ framework: SymbolFramework) -> String {
  switch framework {
  case .appKit: appKitDefinitions
  case .uiKit: uiKitDefinitions
  case .swiftUI: swiftUIDefinitions
  }
}

private let appKitDefinitions =
  """
  #if canImport(AppKit) && !targetEnvironment(macCatalyst)
  @available(macOS 10.13, *)
  @available(macCatalyst, unavailable)
  extension AppKit.NSColor {

      /// The color of the resource. The catalog must contain it.
      convenience init(resource: ColorResource) {
          self.init(named: NSColor.Name(resource.name), bundle: resource.bundle)!
      }

  }

  /// The images that can be made of an image of the bundle.
  protocol ResourceNamedImage {}

  extension ResourceNamedImage {

      /// The image of the resource.
      init(resource: ImageResource) {
          let image = resource.bundle.image(forResource: NSImage.Name(resource.name))!
          self = (image as? Self)!
      }

  }

  @available(macOS 10.7, *)
  @available(macCatalyst, unavailable)
  extension AppKit.NSImage: ResourceNamedImage {}
  #endif


  """

private let uiKitDefinitions =
  """
  #if canImport(UIKit) && !os(watchOS)
  @available(iOS 11.0, tvOS 11.0, *)
  extension UIKit.UIColor {

      /// The color of the resource.
      convenience init(resource: ColorResource) {
          self.init(named: resource.name, in: resource.bundle, compatibleWith: nil)!
      }

  }

  @available(iOS 11.0, tvOS 11.0, *)
  extension UIKit.UIImage {

      /// The image of the resource.
      convenience init(resource: ImageResource) {
          self.init(named: resource.name, in: resource.bundle, compatibleWith: nil)!
      }

  }
  #endif


  """

private let swiftUIDefinitions =
  """
  #if canImport(SwiftUI)
  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  extension SwiftUI.Color {

      /// The color of the resource.
      init(_ resource: ColorResource) {
          self.init(resource.name, bundle: resource.bundle)
      }

  }

  @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 6.0, *)
  extension SwiftUI.Image {

      /// The image of the resource.
      init(_ resource: ImageResource) {
          self.init(resource.name, bundle: resource.bundle)
      }

  }
  #endif


  """
