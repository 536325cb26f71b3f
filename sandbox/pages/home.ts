import { faultKinds } from '../faults.ts';
import type { Sandbox, SandboxPlatform } from '../platform.ts';
import { escapeHtml } from './escape.ts';
import { layout } from './layout.ts';

const examples = (address: string) => `# Create an account and get its credentials.
curl -X POST ${address}/_control/accounts -H 'content-type: application/json' \\
  -d '{ "network": "mastodon", "handle": "ann" }'

# List the posts of a network, and the requests it received.
curl '${address}/_control/posts?network=mastodon'
curl '${address}/_control/requests?network=mastodon'

# Accept the next publish, then reset its connection.
curl -X POST ${address}/_control/faults -H 'content-type: application/json' \\
  -d '{ "network": "mastodon", "operation": "publish", "kind": "reset_after" }'

# List the mails that Crier sent to its users.
curl '${address}/_control/mail'

# Remove all faults, then all data.
curl -X DELETE ${address}/_control/faults
curl -X POST ${address}/_control/reset`;

export function homePage(sandbox: Sandbox, address: string): string {
  return layout({
    title: 'Crier sandbox',
    main: `<h1>Crier sandbox</h1>
<p class="lead">This sandbox simulates the networks that Crier publishes to. Nothing leaves this machine.</p>
<h2>Networks</h2>
<ul class="networks">${sandbox.platforms.map((platform) => platformCard(sandbox, platform)).join('')}</ul>
<h2>Mail</h2>
<p><a href="/mail">${plural(sandbox.store.mails.count(), 'mail')}</a> that Crier sent to its users.</p>
<h2>Control</h2>
<p>Tests and people control the sandbox with the API under <code>/_control</code>:</p>
<pre tabindex="0"><code>${escapeHtml(examples(address))}</code></pre>
<p>Kinds of fault: ${faultKinds.map((kind) => `<code>${kind}</code>`).join(', ')}.</p>`,
  });
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function platformCard({ store }: Sandbox, platform: SandboxPlatform): string {
  const posts = store.posts.count(platform.id);
  const accounts = store.accounts.list(platform.id).length;
  return `<li><a class="card" href="/feed/${platform.id}"><strong>${escapeHtml(platform.name)}</strong>
<span>${plural(posts, 'post')} · ${plural(accounts, 'account')}</span></a></li>`;
}
