// Error pages of gateways and frameworks, which know nothing of the envelope.

/** HTML, as it comes by default. */
export const page = (status: number, title: string): Response =>
  new Response(`<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
