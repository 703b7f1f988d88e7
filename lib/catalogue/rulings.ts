// The register of rulings: every place where the document allows more than one reading, and how it is read.
import { listRulings } from './rulings-lists.ts';
import { recordRulings } from './rulings-records.ts';
import { requestRulings } from './rulings-requests.ts';

/** All rulings by their slug; rows of the catalogue name the ones that they rest on. */
export const rulings = { ...requestRulings, ...recordRulings, ...listRulings };
