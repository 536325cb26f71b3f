import type { Server } from '../../../src/foundation/http/server.ts';

export interface BrowserOptions {
  address?: string;
  userAgent?: string;
}

/** Stores the cookies of a service as a browser does, and sends them with every request. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly server: Server;
  address: string;
  userAgent: string;

  constructor(server: Server, { address = '192.0.2.1', userAgent = firefox }: BrowserOptions = {}) {
    this.server = server;
    this.address = address;
    this.userAgent = userAgent;
  }

  async request(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.server.inject({
      method,
      url: `/api/v1${path}`,
      headers: { 'user-agent': this.userAgent, ...(cookie && { cookie }) },
      remoteAddress: this.address,
      ...(payload && { payload }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*Max-Age=0\b/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  get = (path: string) => this.request('GET', path);
  post = (path: string, payload?: object) => this.request('POST', path, payload);
  delete = (path: string) => this.request('DELETE', path);

  signIn = (email: string, password: string) => this.post('/auth/signin', { email, password });
}

export const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';
