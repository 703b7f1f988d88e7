// Authentication: which tokens are accepted and refused, and what a token of one account never reaches in another.
import { suite } from '../lib/index.ts';
import { accepted } from './authentication/accepted.ts';
import { credentialChecks } from './authentication/credential-checks.ts';
import { effect } from './authentication/effect.ts';
import { foreignLists } from './authentication/foreign-lists.ts';
import { isolation } from './authentication/isolation.ts';
import { observed } from './authentication/observed.ts';
import { randomWalks } from './authentication/random-walks.ts';
import { refused } from './authentication/refused.ts';
import { authenticationRules } from './authentication/rules.ts';

export default suite(
  'authentication',
  [...accepted, ...refused, ...effect, ...isolation, ...foreignLists, credentialChecks, randomWalks, ...observed],
  authenticationRules,
);
