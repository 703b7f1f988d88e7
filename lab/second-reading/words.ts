// Words from which the population is made.

export const FIRST_NAMES = [
  'Ada',
  'Bruno',
  'Chloé',
  'Dana',
  'Emil',
  'Farah',
  'Goran',
  'Hana',
  'Ivo',
  'Jürgen',
] as const;

export const LAST_NAMES = [
  'Abbott',
  'Brandt',
  'Castro',
  'Dubois',
  "O'Neil",
  'Fischer',
  'Gómez',
  'Hale',
  'Ito',
] as const;

export const FIRMS = [
  'Harbor',
  'Summit',
  'Cedar',
  'Atlas',
  'Beacon',
  'Río Grande',
  'Granite',
  'Juniper',
  'Ångström',
] as const;

export const FIRM_KINDS = ['Capital', 'Lending', 'Partners', 'Bank', 'Equity & Co.', 'Trust'] as const;

export const ACCOUNT_WORDS = [
  'maple',
  'cobalt',
  'falcon',
  'lagoon',
  'quartz',
  'willow',
  'ember',
  'delta',
  'orchid',
] as const;

export const CITIES = ['Boston', 'Denver', 'Austin', 'Tampa', 'San José'] as const;

export const STATES = ['MA', 'CO', 'TX', 'FL', 'CA'] as const;

export const REMARKS = [
  'Called about the term sheet.',
  'Prefers floating rates — follow up in spring.',
  'Introduced by a sponsor.',
  'Closed the 2024 facility.\nGood experience.',
] as const;

export const TITLES = ['Managing Director', 'Analyst', 'Vice President', 'Loan Officer'] as const;
