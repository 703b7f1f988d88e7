// What the service does / Common response envelope: what every success looks like, and the headers of every request.

import { suite } from '../lib/index.ts';
import { duties } from './envelope/duties.ts';
import { reading } from './envelope/reading.ts';
import { requestHeaders } from './envelope/request-headers.ts';
import { envelopeRules } from './envelope/rules.ts';

export default suite('envelope', [...duties, reading, ...requestHeaders], envelopeRules);
