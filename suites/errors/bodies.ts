// Valid bodies with every documented member, and checks of any body.

const place = { address: '1 Main Street', city: 'Boston', state: 'MA', zip: '02110' } as const;

export const companyBody = {
  company_type: 'sponsor',
  website: 'https://example.com/covenant',
  ...place,
  linkedin_url: 'https://www.linkedin.com/company/covenant',
} as const;

export const contactBody = {
  contact_type: 'sponsor',
  first_name: 'Ada',
  email: 'ada@example.com',
  title: 'Analyst',
  department: 'Credit',
  ...place,
  address2: 'Suite 5',
  linkedin_url: 'https://www.linkedin.com/in/covenant',
  photo_url: 'https://example.com/covenant.png',
  phones: [{ raw: '(617) 253-0000', type: 'office', country: 'US', extension: '12' }],
  is_primary: false,
} as const;

const bodyMax = 64_000;

/** Small enough that no gateway refuses it. */
export const isSmall = (body: string): boolean => body.length <= bodyMax;

export function isJson(body: string): boolean {
  try {
    return JSON.parse(body) !== undefined;
  } catch {
    return false;
  }
}
