// A JSON document of ours as text: it begins with the name of the schema that describes it.
import type { documents } from './schema.ts';

type DocumentName = (typeof documents)[number];

/** Where the package is installed, `import.meta.resolve` finds the file of that name; 1 is the number in `format`. */
export const schemaPath = (name: DocumentName): string => `covenant-conformance/schemas/v1/${name}.schema.json`;

/** With `indent` 0 on one line. */
export const documentText = (name: DocumentName, value: object, indent = 2): string =>
  `${JSON.stringify({ $schema: schemaPath(name), ...value }, null, indent)}\n`;
