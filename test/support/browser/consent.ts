/** A person's steps on a consent page: opens it, picks an account, presses a button, and is redirected to the app. */
export async function consent(page: URL, choice: { decision: 'allow' | 'deny'; handle: string }): Promise<URL> {
  const opened = await fetch(page);
  const html = await opened.text();
  if (!opened.ok) throw new Error(`The consent page answers ${opened.status}: ${html}`);
  const form = /<form\b[^>]*>[\s\S]*?<\/form>/i.exec(html)?.[0];
  if (!form) throw new Error(`The consent page has no form: ${html}`);

  const [formTag = ''] = /<form\b[^>]*>/i.exec(form) ?? [];
  const fields = new URLSearchParams(hiddenFields(form));
  fields.set('account', 'new');
  fields.set('handle', choice.handle);
  fields.set('decision', choice.decision);
  const pressed = await fetch(new URL(attribute(formTag, 'action') ?? page, page), {
    method: attribute(formTag, 'method') ?? 'get',
    body: fields,
    redirect: 'manual',
  });
  const location = pressed.headers.get('location');
  if (!location) throw new Error(`The consent page did not send us back: ${pressed.status} ${await pressed.text()}`);
  return new URL(location, page);
}

function hiddenFields(form: string): [string, string][] {
  const inputs = form.match(/<input\b[^>]*type="hidden"[^>]*>/gi) ?? [];
  return inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? '']);
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
