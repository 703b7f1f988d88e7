// Edits of listed records by the run itself.
import { computedOnce, lagMsMax, pathOf, type Reply, type World } from '../../lib/index.ts';

const editsIn = computedOnce(({ replies }: World) =>
  replies.filter(({ operation }) => operation === 'PATCH /companies/{company_id}'),
);

/** The run edited one of these records between the two replies, or so shortly before that a list may show it later. */
export const isEdited = (paths: readonly string[], before: Reply, after: Reply, world: World): boolean =>
  editsIn(world).some(
    (one) => one.receivedAt >= before.sentAt - lagMsMax && one.after < after.id && paths.includes(pathOf(one)),
  );
