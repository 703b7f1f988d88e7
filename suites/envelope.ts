// What the service does / Common response envelope: what every success looks like, and the headers of every request.
import { suite } from '../lib/index.ts';
import { reading, requestHeaders } from './envelope/cases.ts';
import { duties } from './envelope/duties.ts';
import { envelopeRules } from './envelope/rules.ts';

export default suite('envelope', [...duties, reading, ...requestHeaders], envelopeRules);
