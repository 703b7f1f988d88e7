// Lists: limits, cursors, totals, stability, sorting and the choice of fields.
import { must, observe, requirements } from './requirement.ts';

const members = requirements('pagination', 'Limits / Pagination, rule 2', {
  'pagination-object-present': must(
    'Every list of team members, keys, companies, notes and contacts carries pagination',
    {
      at: 'Limits / Pagination, paragraph 1',
      impact: 'The client takes the first page for everything.',
      rulings: ['pagination-presence'],
    },
  ),
  'pagination-cursor-members': must(
    'The pagination of a list has integer total and limit and boolean has_more, and by cursor, on later pages, cursor',
    { impact: 'The client does not know how much there is and whether to go on.', rulings: ['cursor-nulls'] },
  ),
  'pagination-limit-reported': must('The limit in pagination is the one in effect', {
    impact: 'Clients that trust it compute wrong pages.',
    rulings: ['limit-range'],
  }),
  'pagination-cursor-first': must('The cursor in pagination is null on the first page', {
    impact: 'Clients take the first page for a later one.',
    rulings: ['cursor-nulls'],
  }),
  'pagination-cursor-later': observe('What is the cursor in pagination on later pages?', { rulings: ['cursor-nulls'] }),
  'pagination-next-cursor-given': must('A page with has_more true has a next_cursor', {
    impact: 'The client knows of more and cannot get it.',
    rulings: ['has-more-judged'],
  }),
  'pagination-next-cursor-form': must('The next_cursor is a base64 text', {
    impact: 'Clients that check or store cursors by that form break.',
    rulings: ['cursor-form'],
  }),
  'pagination-next-cursor-last': observe('What is next_cursor on the last page?', { rulings: ['cursor-nulls'] }),
  'pagination-team-mode': observe(
    'Which mode of pagination does the team list use, and what do limit, offset and cursor do there?',
    { at: 'Endpoints / Account and team, row GET /account/team', rulings: ['pagination-presence', 'team-parameters'] },
  ),
});

const limits = requirements('pagination', 'Limits / Pagination, row limit', {
  'pagination-limit-default': must('Without limit a list uses a limit of 50', {
    impact: 'Pages are larger or smaller than clients plan for.',
    rulings: ['limit-range', 'page-length'],
  }),
  'pagination-limit-respected': must('No page is longer than the limit that was asked for', {
    impact: 'Memory and layout of the client are overrun.',
    rulings: ['page-length'],
  }),
  'pagination-limit-bounds': must('Limits of 1 and of 200 are accepted and in effect', {
    impact: 'Cheap looks are refused, or exports need many times the requests.',
    rulings: ['limit-range'],
  }),
  'pagination-limit-above': must('A limit above 200 is refused, or served and reported as at most 200', {
    impact: 'Clients rely on pages that are cut elsewhere.',
    rulings: ['limit-range'],
  }),
  'pagination-limit-below': must('A limit of 0 or less is refused, or served and reported as at least 1', {
    impact: 'A slip of the client yields an endless or a complete list.',
    rulings: ['limit-range'],
  }),
  'pagination-limit-outside-answer': observe('Is a limit out of range, or not a number, refused or replaced?', {
    rulings: ['limit-range'],
  }),
  'pagination-short-pages': observe('Are there pages shorter than the limit although records remain?', {
    rulings: ['page-length'],
  }),
});

const traversal = requirements('pagination', 'Limits / Pagination, rule 2', {
  'pagination-traversal-complete': must('Following next_cursor shows every record of a list that nobody changes', {
    at: 'Limits / Pagination, row Cursor',
    impact: 'Exports miss records.',
    rulings: ['traversal-records', 'cursor-uses'],
  }),
  'pagination-traversal-once': must('Following next_cursor shows no record of an unchanged list twice', {
    at: 'Limits / Pagination, row Cursor',
    impact: 'Exports count records twice.',
    rulings: ['traversal-records'],
  }),
  'pagination-traversal-ends': must('Following next_cursor reaches a page with has_more false', {
    impact: 'Exports never end.',
    rulings: ['traversal-records', 'has-more-judged', 'page-length'],
  }),
  'pagination-stable-inserts': must('Records added during a traversal make it neither skip nor repeat older ones', {
    at: 'Limits / Pagination, row Cursor',
    impact: 'Exports by day are wrong, by night they are right.',
    rulings: ['traversal-records'],
  }),
  'pagination-stable-edits': must('Records edited during a traversal make it neither skip nor repeat any', {
    at: 'Limits / Pagination, row Cursor',
    impact: 'The very records that people work on are missed.',
    rulings: ['traversal-records'],
  }),
  'pagination-stable-deletes': must('Records deleted during a traversal make it neither skip nor repeat others', {
    at: 'Limits / Pagination, row Cursor',
    impact: 'Deleting one record hides its neighbour.',
    rulings: ['traversal-records'],
  }),
  'pagination-total-exact': must('The total is the number of records of the whole list', {
    impact: 'Page counts and progress bars are wrong.',
    rulings: ['total-scope', 'list-lag'],
  }),
  'pagination-total-constant': must('The total is the same on every page of an unchanged list', {
    impact: 'Progress bars run backwards.',
    rulings: ['total-scope'],
  }),
  'pagination-has-more-remains': must('has_more is true while records remain', {
    impact: 'Reading stops early.',
    rulings: ['has-more-judged'],
  }),
  'pagination-has-more-last': must('has_more is false once every record has been delivered', {
    impact: 'Clients ask for a page that is not there.',
    rulings: ['has-more-judged'],
  }),
  'pagination-list-empty': must('A list without records is a success with no record, total 0 and has_more false', {
    impact: 'A new company looks like an error.',
  }),
  'pagination-cursor-reuse': observe('Does the same cursor give the same page again?', { rulings: ['cursor-uses'] }),
  'pagination-cursor-garbage': observe('What does a cursor that the server never issued answer?'),
  'pagination-list-order': observe('In which order do lists show their records, and where do new ones appear?', {
    at: 'Limits / Pagination, row Cursor',
    rulings: ['traversal-records'],
  }),
  'pagination-list-lag': observe('How soon after a write do lists and totals show it?', {
    at: 'Limits / Pagination, row Cursor',
    rulings: ['list-lag'],
  }),
});

const sorting = requirements('pagination', 'Limits / Pagination, rule 1', {
  'pagination-cursor-with-sort': must('A company or contact list with both cursor and sort is refused with 400', {
    impact: 'Pages are mixed from two orders without a word.',
    rulings: ['sort-values'],
  }),
  'pagination-cursor-sort-notes': observe('What does a note list with both cursor and sort answer?', {
    rulings: ['sort-values'],
  }),
  'pagination-sort-members': must(
    'A sorted list has total, limit (50 by default), offset (0 by default) and has_more in its pagination',
    {
      at: 'Limits / Pagination, rule 3',
      impact: 'Sorted lists cannot be paged.',
      rulings: ['sort-values', 'limit-range'],
    },
  ),
  'pagination-sort-pages': must('Pages of a sorted list at offset plus limit together show every record once', {
    at: 'Limits / Pagination, rule 3',
    impact: 'Sorted views miss or repeat records.',
    rulings: ['sort-values', 'offset-traversal'],
  }),
  'pagination-sort-accepted': observe('Which values of sort do the lists accept?', {
    at: 'Endpoints / Gaps in the endpoint list, point 2',
    rulings: ['sort-values'],
  }),
  'pagination-sort-direction': observe('Does a leading minus turn the order round?', {
    at: 'Endpoints / Gaps in the endpoint list, point 2',
    rulings: ['sort-values'],
  }),
  'pagination-offset-unsorted': observe('What does offset without sort do on a cursor list?', {
    at: 'Limits / Pagination, row Offset',
  }),
});

const fields = requirements('pagination', 'Limits / Pagination, rule 5', {
  'pagination-fields-restrict': must('A company or contact list with fields leaves out what was not asked for', {
    impact: 'Personal data are sent that nobody asked for.',
    rulings: ['fields-identifier'],
  }),
  'pagination-fields-kept': must('A list with fields shows those fields with the values that they have without it', {
    impact: 'The choice of fields loses what it chose.',
    rulings: ['fields-identifier', 'fields-within'],
  }),
  'pagination-fields-later-pages': must('The choice of fields holds on later pages too', {
    impact: 'Records change their shape in the middle of a list.',
    rulings: ['fields-identifier', 'cursor-uses'],
  }),
  'pagination-fields-identifier': observe('Does a list with fields keep the identifier when it was not asked for?', {
    rulings: ['fields-identifier'],
  }),
  'pagination-fields-unknown': observe('What do unknown or empty fields answer?', { rulings: ['open-input'] }),
});

export const pagination = { ...members, ...limits, ...traversal, ...sorting, ...fields };
