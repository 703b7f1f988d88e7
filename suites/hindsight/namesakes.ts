// Each account may number its companies itself: what bears a number that two companies of the run share says nothing of either.
import { dataOf, identifierOf, type Reply, type Story, wasAccepted } from '../../lib/index.ts';
import { pathOf, sentBody } from './sent.ts';

/** The paths of companies that two creations gave out. */
function sharedPaths(replies: readonly Reply[]): ReadonlySet<string> {
  const born = new Map<string, unknown>();
  const shared = new Set<string>();
  for (const reply of replies) {
    if (reply.operation !== 'POST /companies' || !wasAccepted(reply)) continue;
    const path = `${pathOf(reply)}/${identifierOf('company', dataOf(reply))}`;
    const name = sentBody(reply)?.name;
    // Repeated under its Idempotency-Key it is the same company.
    if (born.has(path) && !(reply.mayReplay && born.get(path) === name)) shared.add(path);
    else born.set(path, name);
  }
  return shared;
}

const companyPathOf = (reply: Reply): string => /^.*\/companies\/[^/]+/.exec(pathOf(reply))?.[0] ?? '';

/** The story without what such a number addresses; that one user is given it twice is judged by the creations. */
export function withoutNamesakes(story: Story): Story {
  const shared = sharedPaths(story.replies);
  if (shared.size === 0) return story;
  return { ...story, replies: story.replies.filter((reply) => !shared.has(companyPathOf(reply))) };
}
