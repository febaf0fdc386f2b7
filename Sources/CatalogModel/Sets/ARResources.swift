// Reference images and objects that ARKit looks for.

public struct ARResourceGroup: Sendable, Hashable {
  /// The folders or files of the resources.
  public var resources: [LayerReference] = []

  public init() {}
}

public struct ARReferenceImage: Sendable, Hashable {
  public enum Unit: String, CaseIterable, Sendable, Hashable {
    case meters, centimeters, feet, inches, yards
  }

  public var entries: [ImageEntry] = []
  public var width: Double?
  public var height: Double?
  public var unit: Unit?

  public init() {}
}

public struct ARObject: Sendable, Hashable {
  public var trackingData: SourceFile?
  public var preview: SourceFile?

  public init() {}
}
