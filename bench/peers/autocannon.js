// The same load from autocannon, as a comparison for our load client.
import autocannon from 'autocannon';

process.on('message', async ({ url, connections, count }) => {
  const { '2xx': answered, errors, duration } = await autocannon({ url, connections, amount: count });
  process.send({ result: { answered, errors, seconds: duration } });
});
process.on('disconnect', () => process.exit());
process.send('ready');
