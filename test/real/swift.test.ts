import { testS3 } from './s3.ts';
import { startSwift } from './servers/swift.ts';

await testS3('OpenStack Swift', startSwift);
