/** Checks which parts of a model server's address a store records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedAddress } from './recorded-address.ts';

test('records an address without user, password, fragment and secrets', () => {
  for (const [address, recorded] of [
    ['http://localhost:8080', 'http://localhost:8080/'],
    // https://learn.microsoft.com/azure/ai-services/openai/reference: POST
    // .../embeddings?api-version=2024-10-21
    ['https://x.openai.azure.com/openai/deployments/e?api-version=2024-10-21', undefined],
    ['https://a.example/v1?region=north%20west&tier=a+b&x=1;y=2', undefined],
    ['https://me:pw@a.example/v1?a=1#frag', 'https://a.example/v1?a=1'],
    ['https://a.example/v1?', 'https://a.example/v1'],
  ] as const)
    assert.equal(recordedAddress(address), recorded ?? address);
  for (const secret of [
    ...[
      'key=s',
      'api-key=s',
      'subscription-key=s',
      'apiKey=s',
      'API_KEY=s',
      'access_token=s',
      'client_secret=s',
      'sig=s',
      'code=s',
    ],
    ...[
      'X-Amz-Signature=s',
      'password=s',
      'pwd=s',
      '%6bey=s',
      'a=1;key=s',
      'auth=s',
      'sk-1234',
      'sk-1234=',
      '',
    ],
  ])
    assert.equal(
      recordedAddress(`https://a.example/v1?first=1&${secret}&last=2`),
      'https://a.example/v1?first=1&last=2',
      secret,
    );
});
