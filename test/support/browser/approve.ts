/** The hidden value in the form of the consent page. */
export const consentIn = (page: string) => /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';

/** The ticked boxes on the consent page, as a browser sends them. */
export const boxesIn = (page: string): Record<string, string> =>
  Object.fromEntries([...page.matchAll(/type="checkbox" name="([^"]+)" checked/g)].map(([, name]) => [name!, 'on']));

export interface Approving {
  /** The headers of the user's session. */
  headers: Record<string, string>;
  decision?: 'approve' | 'deny';
  /** Boxes that the user unticks. */
  untick?: readonly string[];
}

/** Submits the form as the browser of a signed-in user. Returns where it is redirected: back to the application. */
export async function approve(page: URL, { headers, decision = 'approve', untick = [] }: Approving): Promise<URL> {
  const html = await (await fetch(page, { headers, redirect: 'manual' })).text();
  const boxes = Object.entries(boxesIn(html)).filter(([name]) => !untick.includes(name));
  const answer = await fetch(new URL('/authorize', page), {
    method: 'POST',
    headers: { ...headers, origin: page.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...Object.fromEntries(boxes), consent: consentIn(html), decision }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`The consent page answers ${answer.status}: ${await answer.text()}`);
  return new URL(answer.headers.get('location') ?? '');
}
