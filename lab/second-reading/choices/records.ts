// What is left open about companies, their notes and contacts; and how a row of choices is written.
export const numbers = 'from-one | from-high | gappy | random | large';
const orders = 'id-up | id-down | oldest | newest | scattered';

export const companyRows = {
  companyIds: row('Company: the identifier is an integer; how it is chosen is not said.', numbers),
  companyNumbering: row(
    'Company: whether an identifier is unique beyond its account is not said; it can be, where none are shared.',
    'global | per-account',
  ),
  companyIdName: row('Company: the name of the identifier in records is not shown.', 'id | noun_id | both | nested'),
  companyAbsent: row('Company: how a field that was not given comes back is not said.', 'null | absent'),
  companyExtra: row('Company: other fields are not shown.', 'none | times | counts | owner'),
  companyOrder: row('Companies: the order of the list is not said.', orders),
  companyNameLength: row('Company: the status for a name of 0 or 256 characters is not listed.', '422 | 400'),
  companyNameBlank: row('Company: whether a name of white space is a name is not said.', 'accepted | 422 | 400'),
  companyTypeInvalid: row('Company: the status for another company_type is not listed.', '422 | 400'),
  companyWrongType: row('Company: the status for a value of the wrong JSON type is not listed.', '422 | 400'),
  companyUrls: row('Company: website is a URL; whether this is checked is not said.', 'any-text | 422 | 400'),
  companyOrgUnknown: row('Company: whether an org_id must exist is not said.', 'accepted | 422 | 404'),
  companyEditBody: row('Company edit: the request body is not shown.', 'partial | full-replaces | full-keeps'),
  companyEditMissing: row('Company edit: the status when a needed field is missing is not shown.', '422 | 400'),
  companyEditNull: row('Company edit: what null does is not shown.', 'clears | refused | ignored'),
  companyEditEmpty: row('Company edit: an empty object is not described.', 'unchanged | 400 | 422'),
  companyEditType: row('Company edit: whether company_type may change is not shown.', 'allowed | 422 | 403'),
  companyEditRight: row('Company edit: 403 is listed; who may edit is not said.', 'anyone | creators'),
  companyEditTouch: row('Company edit: whether an edit without change is an update is not said.', 'touches | quiet'),
  noteIds: row('Note: note_id is an integer; how it is chosen is not said.', numbers),
  noteNumbering: row('Note: whether note_id is unique beyond its company is not said.', 'global | per-company'),
  noteIdName: row('Note: the name of the identifier in records is not shown.', 'id | noun_id | both | nested'),
  noteExtra: row('Note: other fields are not shown.', 'none | times | author | author-name'),
  noteCompany: row('Note: whether the record names its company is not shown.', 'absent | company_id'),
  noteOrder: row('Notes: the order of the list is not said.', orders),
  noteCreateEmpty: row('Note: 422 when blank, 400 for empty note text; empty on create is either.', '422 | 400'),
  noteCreateMissing: row('Note: a create without text is not listed.', '422 | 400'),
  noteEditMissing: row('Note: an edit without text is not listed.', '400 | 422'),
  noteWrongType: row('Note: a text that is no string is not listed.', '422 | 400'),
  noteTrim: row('Note: whether outer white space is kept is not said.', 'kept | trimmed'),
  noteBlank: row('Note: which characters are blank is not said.', 'unicode | ascii | invisible-too'),
  noteMaximum: row('Note: a longest text is not mentioned.', 'none | 5000 | 20000'),
  noteTooLong: row('Note: the status for too long a text is not mentioned.', '422 | 400 | 413'),
  noteNul: row('Note: whether a text may hold the character U+0000 is not said.', 'kept | 422 | 400'),
  noteRight: row('Note: 403 is listed; who may edit or delete a note is not said.', 'anyone | author'),
  noteByRestricted: row('Note: 403 is listed; whether a user with few rights may write is not said.', 'allowed | 403'),
  noteTouch: row('Note: whether an edit to the same text is an update is not said.', 'touches | quiet'),
  noteDeleteExtra: row('Delete result: data with deleted; other members are not excluded.', 'none | id'),
} as const;

export const contactRows = {
  contactIds: row('Contact: the record is not shown beyond inputs; how it is numbered is not said.', numbers),
  contactIdName: row('Contact: the name of the identifier is not shown.', 'id | noun_id | both | nested'),
  contactAbsent: row('Contact: how a field that was not given comes back is not said.', 'null | absent'),
  contactExtra: row('Contact: other fields are not shown.', 'none | times | full-name | owner'),
  contactCompany: row('Contact: whether the company is embedded is not shown.', 'absent | object | name'),
  contactOrder: row('Contacts: the order of the list is not said.', orders),
  contactCompanyMissing: row('Contact: company_id is required; the status without it is not listed.', '422 | 400'),
  contactCompanyUnknown: row('Contact: a company_id that names no company is not described.', '404 | 422 | accepted'),
  contactTypeInvalid: row('Contact: the status for another contact_type is not listed.', '422 | 400'),
  contactWrongType: row('Contact: the status for a value of the wrong JSON type is not listed.', '422 | 400'),
  contactEmail: row('Contact: email is a string; whether it is checked is not said.', 'any-text | 422 | 400'),
  contactUrls: row('Contact: whether linkedin_url and photo_url are checked is not said.', 'any-text | 422 | 400'),
  contactSharedCompany: row(
    'Contact: whether a contact may be added to a company seen by sharing is not said.',
    'allowed | 403',
  ),
  phoneShape: row(
    'Phone: raw is normalized to E.164 by the server; where the result is shown is not said.',
    'e164 | normalized | number | raw-replaced | number-only | listed-apart | nested',
  ),
  phoneStrictness: row(
    'Phone: an unparseable number yields 422; whether an impossible line is parseable is not said.',
    'possible | valid',
  ),
  phoneCountryDefault: row(
    'Phone: country defaults to US; whether the default is shown is not said.',
    'shown | absent',
  ),
  phoneCountryCase: row('Phone: a 2-letter region; whether small letters do is not said.', 'capitals | any-case'),
  phoneCountryBad: row('Phone: the status for another country is not listed.', '422 | 400'),
  phoneCountryCheck: row(
    'Phone: country serves numbers without a leading +; whether it is checked with one is not said.',
    'always | when-needed',
  ),
  phoneTypeBad: row('Phone: the status for another type is not listed.', '422 | 400'),
  phoneRawMissing: row('Phone: raw is required; the status without it is not listed.', '422 | 400'),
  phoneExtension: row('Phone: an extension inside raw is not described.', 'extracted | left'),
  phoneExtra: row('Phone: other members are not excluded.', 'none | id | national | position'),
  phonesNone: row('Contact: phones that were not given are shown as is not said.', 'empty | null | absent'),
  primarySecond: row(
    'Contact: is_primary; whether a second primary replaces the first is not said.',
    'demotes | keeps',
  ),
  primaryDefault: row('Contact: is_primary that was not given has no default.', 'false | null | absent | first-is'),
} as const;

interface Row<Values extends string> {
  /** The place in the interface document, in our own words, and what it does not say. */
  sentence: string;
  values: Values;
}

/** The values as a union: `'slug | id | either'`. */
export function row<Values extends `${string} | ${string}`>(sentence: string, values: Values): Row<Values> {
  return { sentence, values };
}
