// Idempotency-Key: what a repeated write does.
import { must, observe, requirements, should, untestable } from './requirement.ts';

const notes = requirements('idempotency', 'What the service does / Common request headers, paragraph 1', {
  'idempotency-create-replay': must('Repeating a note creation under its Idempotency-Key makes no second note', {
    impact: 'Each network hiccup leaves a duplicate.',
    rulings: ['idempotency-replay', 'idempotency-levels', 'idempotency-key-form'],
  }),
  'idempotency-create-answer': must('A repeated note creation is answered with the same note or with 409', {
    impact: 'The client cannot find out what its write has done.',
    rulings: ['idempotency-replay'],
  }),
  'idempotency-create-late': must(
    'A note creation repeated at the end of the run, after many other keys, makes no second note',
    {
      impact: 'A retry after an outage leaves a duplicate.',
      rulings: ['idempotency-span'],
    },
  ),
  'idempotency-create-deleted': must('Repeating the creation of a note that was deleted since does not bring it back', {
    impact: 'A late retry revives what somebody deleted.',
    rulings: ['idempotency-replay', 'effect-over-form'],
  }),
  'idempotency-create-simultaneous': must('Simultaneous note creations under one Idempotency-Key make one note', {
    impact: 'An impatient retry leaves a duplicate.',
    rulings: ['idempotency-replay'],
  }),
  'idempotency-edit-answer': must('A repeated note edit is answered with the same note or with 409', {
    impact: 'The client cannot find out what its write has done.',
    rulings: ['idempotency-replay', 'idempotency-levels'],
  }),
  'idempotency-edit-overtaken': must('Repeating a note edit after a later edit does not undo the later one', {
    impact: 'A late retry overwrites the work of somebody else.',
    rulings: ['idempotency-replay', 'effect-over-form'],
  }),
  'idempotency-key-other': must('The same note under another Idempotency-Key is created a second time', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
    impact: 'Remarks that happen to be equal are swallowed.',
    rulings: ['idempotency-keys-apart'],
  }),
  'idempotency-key-similar': must('Idempotency-Keys that differ in their first or last group only are different keys', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
    impact: 'Writes are swallowed at random.',
    rulings: ['idempotency-keys-apart'],
  }),
  'idempotency-key-edit-other': must('An edit back to an earlier text under another Idempotency-Key takes effect', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
    impact: 'Going back to an earlier text silently fails.',
    rulings: ['idempotency-keys-apart'],
  }),
  'idempotency-key-none': must('The same note sent twice without an Idempotency-Key is two notes', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
    impact: 'Remarks that happen to be equal are swallowed.',
    rulings: ['idempotency-keys-apart'],
  }),
  'idempotency-replay-form': observe('How does a replay differ from the first answer: status, body, headers?', {
    rulings: ['idempotency-replay', 'request-id-uniqueness'],
  }),
  'idempotency-simultaneous-answers': observe('What do simultaneous duplicates get while the first is in progress?', {
    rulings: ['idempotency-replay'],
  }),
  'idempotency-refused-retry': observe('Is a corrected write carried out under the key of a refused one?'),
  'idempotency-reuse-body': observe('What does a used key with another body answer?', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
    rulings: ['idempotency-keys-apart'],
  }),
  'idempotency-reuse-path': observe('What does a used key on another path or method answer?', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
    rulings: ['idempotency-keys-apart'],
  }),
  'idempotency-reuse-account': observe('What does a key that another account has used answer?', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
    rulings: ['idempotency-keys-apart'],
  }),
  'idempotency-key-not-uuid': observe('How is an Idempotency-Key that is not a UUID answered?', {
    at: 'What the service does / Common request headers, row Idempotency-Key',
  }),
});

const elsewhere = requirements('idempotency', 'What the service does / Common request headers, row Idempotency-Key', {
  'idempotency-company-create': should(
    'Repeating a company creation under its Idempotency-Key makes no second company',
    {
      impact: 'Each network hiccup leaves a duplicate that nobody can delete.',
      rulings: ['idempotency-levels'],
    },
  ),
  'idempotency-contact-create': should(
    'Repeating a contact creation under its Idempotency-Key makes no second contact',
    {
      impact: 'Each network hiccup leaves a duplicate that nobody can delete.',
      rulings: ['idempotency-levels'],
    },
  ),
  'idempotency-api-key-create': observe('Does repeating a key creation under its Idempotency-Key make a second key?', {
    rulings: ['idempotency-levels'],
  }),
  'idempotency-note-delete': observe('What does a repeated note deletion under its Idempotency-Key answer?', {
    rulings: ['idempotency-levels'],
  }),
});

const validity = requirements('idempotency', 'Limits / Other limits, point 2', {
  'idempotency-day-kept': untestable(
    'An Idempotency-Key is remembered for the whole of 24 hours',
    'a run lasts minutes; what can be seen within it is tested',
  ),
  'idempotency-day-forgotten': untestable(
    'An Idempotency-Key is forgotten after 24 hours',
    'a run lasts minutes, and the clock of a target cannot be moved',
  ),
});

export const idempotency = { ...notes, ...elsewhere, ...validity };
