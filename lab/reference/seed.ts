// The invented population: accounts, users, companies, notes and contacts, and a credential for each purpose.
import { pick, randomText } from './random.ts';
import type { Service } from './service.ts';
import type { Account, Company, Key, User } from './store.ts';
import { keyPrefix } from './tokens.ts';

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;
/** A company, its contact and its notes. */
const recordsOfCompany = 4;

const firstNames = ['Amara', 'Tomas', 'Ingrid', 'Dev', 'Lucia', 'Marek', 'Yuki', 'Nadia'] as const;
const lastNames = ['Okafor', 'Lindqvist', 'Alvarez', 'Hartmann', 'Nakamura', 'Petrov', 'Osei', 'Whitfield'] as const;
type Place = Record<'address' | 'city' | 'state' | 'zip', string>;
const places: readonly [Place, ...Place[]] = [
  { address: '410 Walnut Street', city: 'Philadelphia', state: 'PA', zip: '19106' },
  { address: '88 Kearny Street', city: 'San Francisco', state: 'CA', zip: '94108' },
  { address: '1200 Main Street', city: 'Kansas City', state: 'MO', zip: '64105' },
  { address: '75 State Street', city: 'Boston', state: 'MA', zip: '02109' },
];
const companyNames = [
  'Northgate',
  'Bluestem',
  'Cobalt Ridge',
  'Juniper',
  'Marlow',
  'Sable Creek',
  'Tidewater',
  'Vantage',
];
const remarks = [
  'Prefers floating-rate bridge loans up to 75% loan-to-value.',
  'Term sheet expected by the end of the quarter.',
  'Met at the spring conference; follow up on the Denver portfolio.',
] as const;

const fullScopes = [
  'account:read',
  'billing:read',
  'companies:read',
  'companies:write',
  'contacts:read',
  'contacts:write',
];
const restrictedScopes = ['companies:read', 'contacts:read'];

/** Creates records one after the other, each an hour younger than the one before. */
class Founder {
  readonly #service: Service;
  #moment: number;

  constructor(service: Service) {
    this.#service = service;
    const { clock, companies } = service.settings;
    this.#moment = clock.now() - 60 * dayMs - companies * recordsOfCompany * hourMs;
  }

  #next(): number {
    this.#moment += hourMs;
    return this.#moment;
  }

  account(slug: string, name: string, tier: Account['tier'], credits: number): Account {
    const { store } = this.#service;
    const createdAt = this.#next();
    const lists = { members: [], partners: [], companies: [], contacts: [], keys: [], keysMade: 0 };
    const id = store.admit('account');
    return { id, slug, name, tier, credits, createdAt, renewsAt: createdAt + 90 * dayMs, ...lists };
  }

  /** A user, member of the given accounts, the first of which is the stored preference unless the settings say otherwise. */
  user(name: string, accounts: readonly Account[], rights: Partial<User> = {}): User {
    const id = this.#service.store.admit('user');
    const email = `${name.toLowerCase().replace(' ', '.')}@sandbox.example`;
    const memberships = accounts.map((account) => ({
      account,
      role: rights.mayCreate === false ? ('member' as const) : ('admin' as const),
      active: true,
    }));
    const may = { scopes: fullScopes, mayCreate: true, mayCreateKeys: true };
    const preferred = this.#service.settings.storedPreference ? accounts[0] : undefined;
    const user = { id, name, email, memberships, preferred, createdAt: this.#next(), ...may, ...rights };
    for (const account of accounts) account.members.push(user);
    this.#service.store.users.set(id, user);
    return user;
  }

  key(user: User, account: Account, label: string): Key {
    const { store, random } = this.#service;
    const secret = keyPrefix + randomText(random, 40);
    return store.addKey({
      id: store.admit('key'),
      createdAt: this.#next(),
      label,
      secret,
      user,
      account,
      lastUsedAt: undefined,
    });
  }

  /** Creates companies, each with a contact, every second one with notes. */
  companies(account: Account, author: User, count: number): void {
    const { store, random } = this.#service;
    for (let index = 0; index < count; index += 1) {
      const lender = index % 2 === 0;
      const name = `${companyNames[index % companyNames.length]} ${lender ? 'Credit Partners' : 'Development'}`;
      const website = `https://www.${name.toLowerCase().replaceAll(' ', '-')}.example/about`;
      const fields = { name, company_type: lender ? 'lender' : 'sponsor', website, ...pick(random, places) };
      const createdAt = this.#next();
      const id = store.admit('company');
      const company = store.addCompany({ id, account, fields, notes: [], createdAt, updatedAt: createdAt });
      this.#contact(company, lender);
      for (let note = 0; note < (lender ? 2 : 0); note += 1) this.#note(company, author);
    }
  }

  #note(company: Company, author: User): void {
    const { store, random } = this.#service;
    const createdAt = this.#next();
    const text = pick(random, remarks);
    company.notes.push({ id: store.admit('note'), company, author, text, createdAt, updatedAt: createdAt });
  }

  #contact(company: Company, lender: boolean): void {
    const { store, random } = this.#service;
    const first_name = pick(random, firstNames);
    const last_name = pick(random, lastNames);
    const fields = { contact_type: lender ? 'lender_contact' : 'sponsor', first_name, last_name, is_primary: true };
    const line = String(random() % 10_000).padStart(4, '0');
    const e164 = `+1415555${line}`;
    const phones = [{ raw: `(415) 555-${line}`, e164, type: 'office', country: 'US', extension: undefined }];
    company.account.contacts.push({ id: store.admit('contact'), company, phones, fields, createdAt: this.#next() });
  }
}

/** Fills the store and issues the credentials, by the names of the environment variables that carry them. */
export async function populate(service: Service): Promise<Record<string, string>> {
  const { tokens, settings, choices } = service;
  const founder = new Founder(service);
  const primary = founder.account('harbor-point', 'Harbor Point Capital', 'business', 4_200);
  const secondary = founder.account('lakeshore', 'Lakeshore Lending', 'business', 1_350);
  const west = founder.account('summit-west', 'Summit West Advisors', 'business', 900);
  const east = founder.account('summit-east', 'Summit East Advisors', 'business', 275);
  const metered = founder.account('quarry-lane', 'Quarry Lane Finance', 'starter', 60);
  const dormant = founder.account('old-mill', 'Old Mill Holdings', 'standard', 0);
  const partners = [
    founder.account('granite-bay', 'Granite Bay Realty', 'standard', 510),
    founder.account('pine-hollow', 'Pine Hollow Equity', 'standard', 330),
  ];
  for (const account of [primary, secondary, west, east, metered]) account.partners.push(...partners);

  const owner = founder.user('Amara Okafor', settings.oneUser ? [primary, west, east] : [primary]);
  const clerk = { scopes: restrictedScopes, mayCreate: false, mayCreateKeys: choices.restrictedMayCreateKeys };
  const restricted = founder.user('Tomas Lindqvist', [primary], clerk);
  for (const name of ['Ingrid Hartmann', 'Dev Nakamura', 'Lucia Alvarez']) founder.user(name, [primary]);
  const neighbour = founder.user('Marek Petrov', [secondary]);
  const traveller = settings.oneUser ? owner : founder.user('Yuki Osei', [west, east]);
  traveller.memberships.push({ account: dormant, role: 'member', active: false });
  const visitor = { scopes: ['account:read'], mayCreate: false, preferred: undefined };
  const drifter = founder.user('Nadia Whitfield', settings.undecided ? [west, east] : [], visitor);
  const payer = founder.user('Ines Moreau', [metered]);
  const colleague = founder.user('Paul Adeyemi', [metered]);
  founder.companies(primary, owner, settings.companies);
  founder.companies(secondary, neighbour, 3);
  for (const account of [west, east]) founder.companies(account, traveller, 2);
  founder.companies(metered, payer, 2);

  const now = settings.clock.now();
  const until = now + settings.jwtLifetimeMs;
  const env: Record<string, string> = {
    COVENANT_API_KEY: founder.key(owner, primary, 'Primary').secret,
    COVENANT_API_KEY_RESTRICTED: founder.key(restricted, primary, 'Restricted').secret,
    COVENANT_API_KEY_SECONDARY: founder.key(neighbour, secondary, 'Secondary').secret,
    COVENANT_JWT: await tokens.issue(traveller, now, until),
    COVENANT_JWT_EXPIRED: await tokens.issue(traveller, now - 2 * dayMs, now - dayMs),
    COVENANT_JWT_NO_ACCOUNT: await tokens.issue(drifter, now, until),
    COVENANT_FOREIGN_SLUG: secondary.slug,
    COVENANT_RATE_API_KEY: founder.key(payer, metered, 'Metered').secret,
    COVENANT_RATE_API_KEY_SIBLING: founder.key(colleague, metered, 'Metered, colleague').secret,
  };
  if (settings.minuteMs !== 60_000) env.COVENANT_MINUTE_MS = String(settings.minuteMs);
  return env;
}
