/** Calls to the control routes of the sandbox at this address. */
export function sandboxControl(url: string) {
  return async function control<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}/_control${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
}
