// Which account is shown and changed: Endpoints / Account and team; Authentication, 9.
import { rules, together } from '../../lib/index.ts';
import { listIds, lists } from './list-rules.ts';
import { sessionIds, sessions } from './session-rules.ts';
import { switches, switchIds } from './switch-rules.ts';
import { mixups, viewIds } from './view-rules.ts';

export const accountRules = together(
  rules(listIds, lists),
  rules(sessionIds, sessions),
  rules(switchIds, switches),
  rules(viewIds, mixups),
);
