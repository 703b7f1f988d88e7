// Versioning: what the same path answers under another version prefix.
import { conforms } from '../../lib/index.ts';

export const versions = conforms('envelope-version-other', {}, async ({ api, observe }) => {
  const replies = [];
  for (const version of ['v1', 'v3']) replies.push(await api.route('GET', `/../${version}/me`));
  const answers = replies.map(({ status, request }) => `${/v\d+(?=\/me)/.exec(request.url)?.[0]}: ${status}`);
  observe('envelope-version-other', answers.join('; '), ...replies);
});
