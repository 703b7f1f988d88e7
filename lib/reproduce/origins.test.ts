// The company that a body names is found however the body spells it.
import { expect, test } from 'vitest';
import { companyIn } from './origins.ts';

test.each([
  ['{"company_id":18,"last_name":"x"}', '"company_id":', '18'],
  ['{ "last_name" : "x",\n  "company_id" :\t18 }', '"company_id" :\t', '18'],
  ['{"\\u0063ompany_id": 18}', '"\\u0063ompany_id": ', '18'],
  ['{"company_id":"18"}', '"company_id":"', '18'],
])('in %j', (body, head, id) => {
  expect(companyIn(body)?.slice(1)).toEqual([head, id]);
});

test('a body that names none has none', () => {
  expect(companyIn('{"other_company_id":18}')).toBeNull();
});
