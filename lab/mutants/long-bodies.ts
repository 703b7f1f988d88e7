// Servers that read a body in blocks of 4,096 bytes: what lies on the border of two is broken, or what lies behind the first is lost.

import { mutants, type Wrap } from './mutant.ts';
import { altered, instead, isObject, type Json, parsed } from './wrappers/mutator.ts';
import { createContact, createNote, editNote } from './wrappers/operations.ts';
import { onText } from './wrappers/records.ts';

const block = 4096;

/** As text, each block by itself: a character that lies in two becomes two or three question marks. */
function inBlocks(bytes: Buffer): string {
  const blocks = Array.from({ length: Math.ceil(bytes.length / block) }, (_, index) =>
    bytes.subarray(index * block, (index + 1) * block),
  );
  return blocks.map((one) => one.toString()).join('');
}

/** As in `body += chunk` with chunks of bytes. */
const decodingInBlocks = (operation: string): Wrap =>
  instead(operation, async (seen, honest) => {
    const body = parsed(inBlocks(Buffer.from(await seen.request.clone().arrayBuffer())));
    return isObject(body) ? honest(await altered(seen, { body })) : undefined;
  });

/** Whole characters that have room in a block. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= block ? text : new TextDecoder().decode(bytes.subarray(0, block), { stream: true });
}

/** Members that end behind the first block are taken for such as were not given. */
const readingOneBlock = (operation: string): Wrap =>
  instead(operation, async (seen, honest) => {
    if (!isObject(seen.body) || (await seen.request.clone().arrayBuffer()).byteLength <= block) return undefined;
    const read: [string, unknown][] = [];
    for (const member of Object.entries(seen.body as Json)) {
      const size = Buffer.byteLength(JSON.stringify(Object.fromEntries([...read, member])));
      // Without what a creation needs it would be refused, which is lawful.
      if (size > block && member[0] !== 'contact_type' && member[0] !== 'company_id') continue;
      read.push(member);
    }
    return honest(await altered(seen, { body: Object.fromEntries(read) }));
  });

/** Only where a character lies on the border. */
const missed = 'The long bodies of a standard run have the border of two blocks between two characters.';

export default mutants({
  'notes-text-long': {
    'notes-create-keeps-4096-bytes-of-a-text': {
      collateral: { 'notes-create-text': 'the reply to the creation shows the text as it was cut' },
      wrap: onText(createNote, 'text', cut),
    },
    'notes-edit-keeps-4096-bytes-of-a-text': {
      collateral: { 'notes-edit-reply': 'the reply to the edit shows the text as it was cut' },
      wrap: onText(editNote, 'text', cut),
    },
  },
  'notes-create-text': {
    'notes-create-decodes-bodies-in-blocks': {
      collateral: { 'notes-text-long': 'the text that is broken is a long one' },
      wrap: decodingInBlocks(createNote),
    },
  },
  'notes-edit-reply': {
    'notes-edit-decodes-bodies-in-blocks': {
      collateral: { 'notes-text-long': 'the text that is broken is a long one' },
      wrap: decodingInBlocks(editNote),
    },
  },
  'contacts-create-unicode': {
    'contacts-create-decodes-bodies-in-blocks': { notFound: missed, wrap: decodingInBlocks(createContact) },
  },
  'contacts-create-fields': {
    'contacts-create-reads-4096-bytes-of-a-body': {
      collateral: { 'contacts-phone-several': 'phones that stand behind the first block are lost as well' },
      wrap: readingOneBlock(createContact),
    },
  },
});
