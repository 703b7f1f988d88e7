// Authentication: which tokens are accepted and refused, and what a token of one account never reaches in another.
import { conforms, suite, unauthenticated } from '../lib/index.ts';
import { accepted } from './authentication/accepted.ts';
import { effect } from './authentication/effect.ts';
import { foreignLists, isolation } from './authentication/isolation.ts';
import { randomWalks } from './authentication/random-walks.ts';
import { refused } from './authentication/refused.ts';
import { authenticationRules } from './authentication/rules.ts';
import { answerOf } from './shared/answer.ts';

/**
 * Ends the connection. A server such as Jetty takes a header that differs from one before it on the connection in letter
 * case alone for that one: the next request with the key would be refused.
 */
const alone = { connection: 'close' } as const;

/** How the target reads spellings of the Authorization header that the document does not mention. */
const observed = [
  conforms(['authentication-bearer-case', 'authentication-bare-token'], {}, async ({ api, invalid, observe }) => {
    const { token = '' } = api.credential;
    // If it is accepted it counts on the account, otherwise among requests without valid credentials.
    const accounts = [...api.credential.accounts, unauthenticated];
    const outsider = api.as({ ...invalid('the key, spelled another way', token), accounts });
    const sent = (authorization: string) => outsider.send('GET /me', { headers: { authorization, ...alone } });
    const lower = await sent(`bearer ${token}`);
    const upper = await sent(`BEARER ${token}`);
    observe('authentication-bearer-case', `bearer: ${answerOf(lower)}; BEARER: ${answerOf(upper)}`, lower, upper);
    const bare = await sent(token);
    const other = await sent(`Token ${token}`);
    observe('authentication-bare-token', `bare: ${answerOf(bare)}; Token: ${answerOf(other)}`, bare, other);
  }),

  conforms('authentication-key-case', {}, async ({ api, invalid, observe }) => {
    const { token = '' } = api.credential;
    const other = token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase();
    const reply = await api.as(invalid('the key in another letter case', other)).send('GET /me', { headers: alone });
    observe('authentication-key-case', answerOf(reply), reply);
  }),
];

export default suite(
  'authentication',
  [...accepted, ...refused, ...effect, ...isolation, ...foreignLists, randomWalks, ...observed],
  authenticationRules,
);
