// `carve schema`: prints the schemas of the files that Carve reads, for editors and validators.

import CatalogCompiler
import CatalogModel
import CommandLineKit

private struct SchemaArguments: Sendable {
  var schema = ""
}

let schemaCommand = Command(
  "schema", summary: "Print the JSON Schema of a file, for editors",
  discussion: """
    The schema contents describes Contents.json, icon describes the icon.json of layered icons, \
    and settings describes .carve.json. Schemas are made of the descriptions that the readers of \
    these files give of themselves, and have the form of JSON Schema 2020-12. They check keys, \
    words and types; 'carve lint' and 'carve lsp' also check what the files name.
    """,
  defaults: SchemaArguments(),
  operands: [
    .one(
      .choice("SCHEMA", of: ContentSchema.allCases.map(\.rawValue)), \.schema,
      help: "the file to describe")
  ],
  examples: [
    Example("carve schema contents > contents.schema.json", "write the schema of Contents.json")
  ]
) { (arguments, terminal) throws(CommandFailure) in
  if let schema = ContentSchema(rawValue: arguments.schema) {
    terminal.write(schemaText(of: schema))
  }
  return .fine
}

func schemaText(of schema: ContentSchema) -> String {
  schema.text(platforms: TargetPlatform.allCases.map(\.rawValue))
}
