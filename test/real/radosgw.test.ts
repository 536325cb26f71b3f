import { testS3 } from './s3.ts';
import { startRadosgw } from './servers/radosgw.ts';

await testS3("Ceph's radosgw", startRadosgw);
