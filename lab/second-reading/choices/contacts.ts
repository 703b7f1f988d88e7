// What is left open about contacts and phones.
import { row } from './row.ts';

const numbers = ['from-one', 'from-high', 'gappy', 'random', 'large'] as const;
const orders = ['id-up', 'id-down', 'oldest', 'newest', 'scattered'] as const;

export const contactRows = {
  contactIds: row('Contact: the record is not shown beyond inputs; how it is numbered is not said.', ...numbers),
  contactIdName: row('Contact: the name of the identifier is not shown.', 'id', 'noun_id', 'both', 'nested'),
  contactAbsent: row('Contact: how a field that was not given comes back is not said.', 'null', 'absent'),
  contactExtra: row('Contact: other fields are not shown.', 'none', 'times', 'full-name', 'owner'),
  contactCompany: row('Contact: whether the company is embedded is not shown.', 'absent', 'object', 'name'),
  contactOrder: row('Contacts: the order of the list is not said.', ...orders),
  contactCompanyMissing: row('Contact: company_id is required; the status without it is not listed.', '422', '400'),
  contactCompanyUnknown: row('Contact: a company_id that names no company is not described.', '404', '422', 'accepted'),
  contactTypeInvalid: row('Contact: the status for another contact_type is not listed.', '422', '400'),
  contactWrongType: row('Contact: the status for a value of the wrong JSON type is not listed.', '422', '400'),
  contactEmail: row('Contact: email is a string; whether it is checked is not said.', 'any-text', '422', '400'),
  contactUrls: row('Contact: whether linkedin_url and photo_url are checked is not said.', 'any-text', '422', '400'),
  contactSharedCompany: row(
    'Contact: whether a contact may be added to a company seen by sharing is not said.',
    'allowed',
    '403',
  ),
  phoneShape: row(
    'Phone: raw is normalized to E.164 by the server; where the result is shown is not said.',
    'e164',
    'normalized',
    'number',
    'raw-replaced',
    'number-only',
    'listed-apart',
    'nested',
  ),
  phoneStrictness: row(
    'Phone: an unparseable number yields 422; whether an impossible line is parseable is not said.',
    'possible',
    'valid',
  ),
  phoneCountryDefault: row(
    'Phone: country defaults to US; whether the default is shown is not said.',
    'shown',
    'absent',
  ),
  phoneCountryCase: row('Phone: a 2-letter region; whether small letters do is not said.', 'capitals', 'any-case'),
  phoneCountryBad: row('Phone: the status for another country is not listed.', '422', '400'),
  phoneCountryCheck: row(
    'Phone: country serves numbers without a leading +; whether it is checked with one is not said.',
    'always',
    'when-needed',
  ),
  phoneTypeBad: row('Phone: the status for another type is not listed.', '422', '400'),
  phoneRawMissing: row('Phone: raw is required; the status without it is not listed.', '422', '400'),
  phoneExtension: row('Phone: an extension inside raw is not described.', 'extracted', 'left'),
  phoneExtra: row('Phone: other members are not excluded.', 'none', 'id', 'national', 'position'),
  phonesNone: row('Contact: phones that were not given are shown as is not said.', 'empty', 'null', 'absent'),
  primarySecond: row(
    'Contact: is_primary; whether a second primary replaces the first is not said.',
    'demotes',
    'keeps',
  ),
  primaryDefault: row('Contact: is_primary that was not given has no default.', 'false', 'null', 'absent', 'first-is'),
} as const;
