// What a whole run shows: the world that each reply describes is the one that the run has written.
import type { Hindsight } from '../../lib/index.ts';
import { accountIds, judgeAccounts } from './accounts.ts';
import { belongingIds, judgeBelonging } from './belonging.ts';
import { borrowedIds, judgeBorrowed } from './borrowed.ts';
import { boundIds, judgeBounds } from './bounds.ts';
import { carriedOutIds, judgeCarriedOut } from './carried-out.ts';
import { credentialIds, judgeCredentials } from './credentials.ts';
import { cursorIds, judgeCursors } from './cursors.ts';
import { defectIds, judgeDefects } from './defects.ts';
import { deletionIds, judgeDeletions } from './deletions.ts';
import { factIds, judgeFacts, validated } from './facts.ts';
import { judgeForeignNotes } from './foreign-notes.ts';
import { formIds, judgeForms } from './forms.ts';
import { listDuties } from './found.ts';
import { homelessIds, judgeHomeless } from './homeless.ts';
import { inheritedIds, judgeInherited } from './inherited.ts';
import { judgeKeyPages, keyPageIds } from './key-pages.ts';
import { judgeKeys, keyIds } from './keys.ts';
import { judgeLimits, limitIds } from './limits.ts';
import { Lists } from './lists.ts';
import { breakable } from './members.ts';
import { judgeMixed, mixedIds } from './mixed.ts';
import { withoutNamesakes } from './namesakes.ts';
import { judgeNumbers, numberIds } from './numbers.ts';
import { phoneDuties, wrongPhones } from './phones.ts';
import { judgePresence, presenceIds } from './presence.ts';
import { judgePrimary, primaryIds } from './primary.ts';
import { Records } from './records.ts';
import { judgeRefused, refusedIds } from './refused.ts';
import { judgeReplays, replayIds } from './replays.ts';
import { judgeRights, rightIds } from './rights.ts';
import { judgeScopes, scopeIds } from './scopes.ts';
import { judgeServed, servedIds } from './served.ts';
import { judgeSessions, sessionIds } from './sessions.ts';
import { judgeSlices } from './slices.ts';
import { judgeSorted, sortedIds } from './sorted.ts';
import { judgeSwitches, switchIds } from './switches.ts';
import { judgeTeam, teamIds } from './team.ts';
import { judgeThrottled, throttledIds } from './throttled.ts';
import { Tokens } from './tokens.ts';

export const hindsight: Hindsight = {
  over: [
    ...new Set([
      ...breakable,
      ...listDuties,
      ...phoneDuties,
      ...keyIds,
      ...scopeIds,
      ...rightIds,
      ...factIds,
      ...accountIds,
      ...belongingIds,
      ...presenceIds,
      ...primaryIds,
      ...sortedIds,
      ...credentialIds,
      ...keyPageIds,
      ...limitIds,
      ...refusedIds,
      ...replayIds,
      ...deletionIds,
      ...formIds,
      ...numberIds,
      ...sessionIds,
      ...servedIds,
      ...cursorIds,
      ...borrowedIds,
      ...carriedOutIds,
      ...boundIds,
      ...defectIds,
      ...homelessIds,
      ...inheritedIds,
      ...mixedIds,
      ...switchIds,
      ...teamIds,
      ...throttledIds,
    ]),
  ],
  judge: (whole) => {
    const story = withoutNamesakes(whole);
    const tokens = new Tokens(story);
    return [
      ...new Records(story).wrong(),
      ...new Lists(story).wrong(),
      ...judgeForeignNotes(story),
      ...judgeBelonging(story),
      ...judgePresence(story),
      ...judgePrimary(story),
      ...judgeSorted(story),
      ...judgeSlices(story),
      ...wrongPhones(story),
      ...judgeKeys(story, tokens),
      ...judgeScopes(story, tokens, validated),
      ...judgeRights(story, tokens),
      ...judgeFacts(story, tokens),
      ...judgeAccounts(story, tokens),
      ...judgeCredentials(story, tokens),
      ...judgeKeyPages(story),
      ...judgeLimits(story, tokens),
      ...judgeRefused(story),
      ...judgeReplays(story),
      ...judgeDeletions(story),
      ...judgeBorrowed(story),
      ...judgeCarriedOut(story),
      ...judgeBounds(story),
      ...judgeForms(story),
      ...judgeNumbers(story),
      ...judgeSessions(story),
      ...judgeServed(story, tokens),
      ...judgeCursors(story),
      ...judgeDefects(story),
      ...judgeHomeless(story),
      ...judgeInherited(story, tokens),
      ...judgeMixed(story, tokens),
      ...judgeSwitches(story),
      ...judgeTeam(story),
      ...judgeThrottled(story),
    ];
  },
};
