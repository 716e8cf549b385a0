import { describe, expect, it } from 'vitest'
import { placeOf } from './address.ts'
import { type Bucket, bucketAt } from './bucket.ts'
import type { S3Answer, S3Request } from './client.ts'

/** A bucket on a service that answers as it is told to, and the requests that it got. */
function bucketOn(answer: (request: S3Request) => Partial<S3Answer> & { text?: string }) {
  const requests: S3Request[] = []
  const send = async (request: S3Request): Promise<S3Answer> => {
    requests.push(request)
    const { status = 200, text = '', ...rest } = answer(request)
    return { status, headers: new Headers(), body: new TextEncoder().encode(text), signedAt: '', ...rest }
  }
  const bucket: Bucket = bucketAt(placeOf('s3://states/x', {}), send, () => {})
  return { bucket, requests }
}

describe('a bucket', () => {
  it('reads on where a list has fewer keys than were asked for, or none, and says that there are more', async () => {
    const keys = [['s/1', 's/2'], [], ['s/3']]
    const { bucket, requests } = bucketOn(({ query }) => {
      const page = Number(query?.['continuation-token'] ?? 0)
      const contents = keys[page]!.map(key => `<Contents><Key>x/${key}</Key><Size>1</Size></Contents>`).join('')
      const next = page < 2 ? `<NextContinuationToken>${page + 1}</NextContinuationToken>` : ''
      return { text: `<ListBucketResult>${contents}${next}</ListBucketResult>` }
    })
    expect((await bucket.list('s/', 's/0', 1000)).map(({ key }) => key)).toEqual(['s/1', 's/2', 's/3'])
    expect(requests[0]!.query).toMatchObject({ 'start-after': 'x/s/0', 'max-keys': '1000' })
    expect(requests[1]!.query).toMatchObject({ 'continuation-token': '1', 'max-keys': '998' })
    expect((await bucket.list('s/', '', 2)).length).toBe(2)
    expect(requests.length).toBe(4)
  })

  it('takes the range from an answer that has the whole object', async () => {
    const { bucket } = bucketOn(() => ({ text: '0123456789' }))
    const textOf = async (range: Parameters<Bucket['get']>[1]): Promise<string> =>
      new TextDecoder().decode((await bucket.get('a', range))!.bytes)
    expect(await textOf({ from: 2, to: 5 })).toBe('234')
    expect(await textOf({ last: 3 })).toBe('789')
    expect(await textOf({ last: 30 })).toBe('0123456789')
  })
})
