// Runs oidc-provider, a certified OAuth server, at the paths of X until standard input ends. Prints its address.
import Provider from 'oidc-provider';

const [clientId, clientSecret, redirectUri] = process.argv.slice(2);
const provider = new Provider('https://x.com', {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  routes: { authorization: '/i/oauth2/authorize', token: '/2/oauth2/token' },
  scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
  pkce: { required: () => true },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: { devInteractions: { enabled: true } },
});
// Makes it assume that it is behind TLS, as in production.
provider.proxy = true;
provider.use(async (ctx, next) => {
  if (ctx.path !== '/2/users/me') return next();
  const token = await provider.AccessToken.find((ctx.get('authorization') || '').replace('Bearer ', ''));
  ctx.status = token ? 200 : 401;
  ctx.body = token ? { data: { id: '1', name: 'Ann', username: token.accountId } } : { title: 'Unauthorized' };
});
const server = provider.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
process.stdin.resume().once('end', () => process.exit());
