// Whether a Content-Type labels its body as JSON.

/** `application/json` and every type that is JSON underneath, with or without parameters. */
export const isJsonLabel = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
