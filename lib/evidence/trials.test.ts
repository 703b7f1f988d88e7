// How the replies to a case are changed: as a server would answer that confuses callers, ignores parameters or stores what it refuses.
import { expect, test } from 'vitest';
import { confusions, promised } from './confusions.ts';
import { lost, movedByEdits, movedByInserts, revoked, undeleted, withoutEffect } from './effects.ts';
import type { Got, Trial } from './got.ts';
import { trialsOf } from './trials.ts';

const base = 'https://target.example/v2';

function got(
  method: string,
  path: string,
  status: number,
  data: unknown,
  headers: Readonly<Record<string, string>>,
): Got {
  const sent = { method, url: `${base}${path}`, headers, ...(method === 'POST' ? { body: '{"text":"refused"}' } : {}) };
  const wire = { status, headers: {}, body: JSON.stringify({ data }) };
  const route = `${method} ${path.split('?')[0]}`;
  return { arrival: { reply: 1, ...wire }, at: 0, askedAt: 0, request: sent, sent, owner: 'case', wire, route };
}

/** The data of each reply that a trial puts in, by the data that it replaces. */
const changesOf = ({ altered }: Trial): unknown[] =>
  [...altered].map(([arrival, { body }]) => [
    'body' in arrival ? JSON.parse(arrival.body).data : undefined,
    JSON.parse(body).data,
  ]);
const ofKind = (trials: Iterable<Trial>, kind: string): unknown[] =>
  [...trials].filter((one) => one.kind === kind).map(changesOf);

const one = { authorization: 'Bearer <ONE>' };
const other = { authorization: 'Bearer <OTHER>' };

test('one caller is answered as another one, from the beginning or later, an account of the same caller first', () => {
  const replies = [
    got('GET', '/me', 200, 'one', one),
    got('GET', '/me', 200, 'one elsewhere', { ...one, 'x-active-account': 'east' }),
    got('GET', '/me', 200, 'other', other),
    got('GET', '/team', 200, 'team', one),
  ];
  const trials = ofKind(confusions(replies), 'the reply to another caller');
  expect(trials).toHaveLength(6);
  expect(trials.slice(0, 2)).toEqual(expect.arrayContaining([[['one', 'one elsewhere']], [['one elsewhere', 'one']]]));
});

test('a parameter is ignored: the same request without it, or else with another value', () => {
  const replies = [
    got('GET', '/notes?limit=2', 200, 'first', one),
    got('GET', '/notes?limit=2&cursor=x', 200, 'second', one),
    got('GET', '/keys?offset=0', 200, 'keys', one),
    got('GET', '/keys?offset=2', 200, 'more keys', one),
  ];
  expect(ofKind(confusions(replies), 'a parameter ignored')).toEqual([
    [['second', 'first']],
    [
      ['keys', 'more keys'],
      ['more keys', 'keys'],
    ],
  ]);
});

test('a list of words gets each word that another reply to the same operation shows, one at a time', () => {
  const replies = [
    got('POST', '/validate', 200, { scopes: ['a', 'b'] }, one),
    got('POST', '/validate', 200, { scopes: ['b'] }, other),
    got('GET', '/me', 200, { scopes: ['c'] }, one),
    got('POST', '/validate', 403, { scopes: ['d'] }, other),
  ];
  expect(ofKind(promised(replies), 'a word too many')).toEqual([[[{ scopes: ['b'] }, { scopes: ['b', 'a'] }]]]);
});

test('what was refused is also accepted as it was sent, and shows in what is read after it', () => {
  const replies = [
    got('POST', '/notes', 201, { id: 1, text: 'made' }, one),
    got('POST', '/notes', 422, undefined, one),
    got('GET', '/notes', 200, [{ id: 1, text: 'made' }], one),
  ];
  const trials = [...trialsOf(replies, replies, [])];
  expect(ofKind(trials, 'accepted or refused the other way round')).toContainEqual([
    [undefined, { id: 1, text: 'refused' }],
  ]);
  expect(ofKind(trials, 'a refused write carried out')).toEqual([
    [
      [
        [{ id: 1, text: 'made' }],
        [
          { id: 1, text: 'made' },
          { id: 2, text: 'refused' },
        ],
      ],
    ],
  ]);
});

test('a key whose revocation somebody asked for is refused from then on, or every other one is', () => {
  const key = (token: string) => ({ authorization: `Bearer ${token}` });
  const replies = [
    got('POST', '/api-keys', 201, { id: 7, api_key: 'first' }, one),
    got('POST', '/api-keys', 201, { id: 8, api_key: 'second' }, one),
    got('GET', '/me', 200, 'before', key('first')),
    got('DELETE', '/api-keys/7', 404, undefined, other),
    got('GET', '/me', 200, 'after', key('first')),
    got('GET', '/me', 200, 'another', key('second')),
  ];
  const refused = revoked(replies).map(({ altered }) => [...altered].map(([arrival, { status }]) => [arrival, status]));
  expect(refused).toEqual([[[replies[4]?.arrival, 401]], [[replies[5]?.arrival, 401]]]);
});

test('of equal reads the last finds nothing, and none that nobody else asks', () => {
  const replies = [
    got('GET', '/me', 200, 'first', one),
    got('GET', '/me', 200, 'second', one),
    got('GET', '/me', 200, 'stranger', other),
    got('GET', '/companies', 200, 'alone', one),
  ];
  const trials = lost(replies).map(({ altered }) => [...altered].map(([arrival, { status }]) => [arrival, status]));
  expect(trials).toEqual([[[replies[1]?.arrival, 404]]]);
});

test('what is edited while a list is traversed is missing from the pages that follow, and only there', () => {
  const page = (path: string, ...ids: readonly number[]) =>
    got(
      'GET',
      path,
      200,
      ids.map((id) => ({ id })),
      one,
    );
  const replies = [
    got('PATCH', '/notes/4', 200, { id: 4 }, one),
    page('/notes?limit=1', 1),
    got('PATCH', '/notes/3', 200, { id: 3 }, one),
    page('/notes?limit=1&cursor=x', 2, 3),
    page('/notes?limit=1&cursor=y', 4),
    page('/notes?limit=1', 3),
  ];
  expect(ofKind(movedByEdits(replies), 'a list in the order of edits')).toEqual([
    [[[{ id: 2 }, { id: 3 }], [{ id: 2 }]]],
  ]);
});

test('an edit takes no effect: until the next one a record shows what the edit before had written', () => {
  const edited = (id: number, text: string): Got => {
    const reply = got('PATCH', `/notes/${id}`, 200, { id, text }, one);
    return { ...reply, sent: { ...reply.sent, body: JSON.stringify({ text }) } };
  };
  const shown = (text: string) => [
    { id: 3, text, by: 'us' },
    { id: 4, text: 'other' },
  ];
  const seen = (text: string): Got => got('GET', '/notes', 200, shown(text), one);
  const replies = [
    edited(3, 'there'),
    seen('there'),
    edited(4, 'other'),
    edited(3, 'back'),
    seen('back'),
    edited(3, 'there'),
    seen('there'),
  ];
  expect(ofKind(withoutEffect(replies), 'an edit without effect')).toEqual([
    [[shown('back'), shown('there')]],
    [[shown('there'), shown('back')]],
  ]);
});

test('nothing comes of a deletion: the list stays as it was before, and no other one', () => {
  const shown = (...ids: readonly number[]) => ids.map((id) => ({ id }));
  const replies = [
    got('GET', '/notes', 200, shown(3, 4), one),
    got('DELETE', '/notes/3', 200, { deleted: true }, one),
    got('DELETE', '/notes/5', 200, { deleted: true }, one),
    got('GET', '/notes?limit=9', 200, shown(4), one),
    got('GET', '/keys', 200, shown(), one),
  ];
  expect(ofKind(undeleted(replies), 'a deletion without effect')).toEqual([[[shown(4), shown(3, 4)]]]);
});

test('what comes while a list is traversed shifts its pages from then on', () => {
  const shown = (...ids: readonly number[]) => ids.map((id) => ({ id }));
  const replies = [
    got('POST', '/notes', 201, { id: 6 }, one),
    got('GET', '/notes', 200, shown(1, 2), one),
    got('GET', '/notes?cursor=x', 200, shown(3, 4), one),
    got('POST', '/notes', 201, { id: 7 }, one),
    got('GET', '/notes?cursor=y', 200, shown(5, 6), one),
    got('GET', '/notes', 200, shown(1, 2), one),
    got('GET', '/notes?cursor=x', 200, shown(3, 4, 5), one),
  ];
  expect(ofKind(movedByInserts(replies), 'a list whose pages are counted')).toEqual([
    [
      [shown(5, 6), shown(4, 5)],
      [shown(3, 4, 5), shown(2, 3, 4)],
    ],
  ]);
});
