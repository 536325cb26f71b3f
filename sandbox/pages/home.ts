import type { Network } from '../network.ts';
import type { Sandbox } from '../sandbox.ts';
import { escapeHtml } from './escape.ts';
import { layout } from './layout.ts';

const examples = (address: string) => `# an account, and what a connection needs to act as it
curl -X POST ${address}/_control/accounts -H 'content-type: application/json' \\
  -d '{ "network": "mastodon", "handle": "ann" }'

# what the network holds, and every request it got
curl '${address}/_control/posts?network=mastodon'
curl '${address}/_control/requests?network=mastodon'

# the next publish is accepted, then the connection is cut
curl -X POST ${address}/_control/faults -H 'content-type: application/json' \\
  -d '{ "network": "mastodon", "operation": "publish", "kind": "reset_after" }'

# start afresh
curl -X DELETE ${address}/_control/faults
curl -X POST ${address}/_control/reset`;

export function homePage(sandbox: Sandbox, address: string): string {
  return layout({
    title: 'Crier sandbox',
    main: `<h1>Sandbox of the social networks</h1>
<p class="lead">Every network that Crier publishes to, played on this machine. Nothing leaves it.</p>
<h2>Networks</h2>
<ul class="networks">${sandbox.networks.map((network) => networkCard(sandbox, network)).join('')}</ul>
<h2>Control</h2>
<p>Tests and people steer the sandbox under <code>/_control</code>:</p>
<pre tabindex="0"><code>${escapeHtml(examples(address))}</code></pre>
<p>Kinds of fault: <code>status</code>, <code>rate_limit</code>, <code>timeout</code>, <code>reset_before</code>, <code>reset_after</code>, <code>nonsense</code>,
<code>latency</code>, <code>expired_token</code>, <code>processing_failed</code>.</p>`,
  });
}

function networkCard({ store }: Sandbox, network: Network): string {
  const posts = store.posts.count(network.id);
  const accounts = store.accounts.list(network.id).length;
  return `<li><a class="card" href="/feed/${network.id}"><strong>${escapeHtml(network.name)}</strong>
<span>${plural(posts, 'post')} · ${plural(accounts, 'account')}</span></a></li>`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
