// JSON that is no object, where the document asks for one.

export const noObjects = ['[]', '"text"', 'null', '42', 'true', '[{}]'] as const;
