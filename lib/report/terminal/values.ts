// Shows a value that was expected or received, short enough for a terminal.

const longest = 400;

/** Of a long one beginning and end, because the end often says as much. */
export function compact(text: string): string {
  if (text.length <= longest) return text;
  const half = longest / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)} (${text.length} characters, in full in report.json)`;
}

/** The `request_id` of a reply's body, where it has one: what a server's owner looks up in the logs. */
export function requestId(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null || !('request_id' in parsed)) return undefined;
    return typeof parsed.request_id === 'string' ? parsed.request_id : undefined;
  } catch {
    return undefined;
  }
}
