// Requests that the document describes, by somebody who sends such requests otherwise, are carried out.
import { rules, together } from '../../lib/index.ts';
import { creations } from './creation-rules.ts';
import { served, servedIds, switched } from './served-rules.ts';

export const envelopeRules = together(rules(servedIds, served, switched), rules(['envelope-valid-served'], creations));
