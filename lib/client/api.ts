import { idleSeconds } from '#lib/client/activity'
import { type Meta, queryAsOf } from '#lib/client/as-of'
import { type Call, noteCall, noteChange } from '#lib/client/calls'
import { keyOf, noteOutcome, type Once } from '#lib/client/once'
import { noteServerDate } from '#lib/client/server-clock'
import { newSession, presentSession, proof } from '#lib/client/waiting'
import { messagesOf, type Progress } from '#lib/ground/http/event-stream'

/** One coded fault of an errors document (docs/api/errors.md, "Error documents", "Fields of faults"). */
export type ApiFault = { code: string; message: string; field?: string }

type Sent = {
  query?: Record<string, string | number | boolean | undefined>
  /** A document to send as JSON, a form, or a file whose type is in the headers. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** The request continues after the page has closed. */
  keepalive?: boolean
  /** Is called with how far a long change is. The document that comes at its end has no lists. */
  onProgress?: (progress: Progress) => void
}

/**
 * `once`: the keys of the form that sends a POST, so that a repeat makes nothing twice. False: a POST that only reads, whose response has
 * a secret (a repeat would come without it), or outside of `/api/admin` and `/api/cloud`.
 *
 * `meta`: of the query that reads, whose client may be of a past moment. Undefined: what has no past, such as the session, and what a
 * change reads before it.
 */
export type ApiOptions = Sent &
  ({ method?: 'GET'; meta: Meta } | { method: 'PUT' | 'DELETE' } | { method: 'POST'; once: Once | false })

type FailureDetails = {
  status: number
  faults: ApiFault[]
  requestId?: string
  retryAfter?: number
  codeType?: string
  clockOffset?: number
  sessionEnded?: boolean
  call?: FailedCall
  cause?: unknown
}

/** The request that failed, without its query. */
export type FailedCall = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string }

/** Thrown by a failed call. Status 0: the server could not be reached. */
export class ApiFailure extends Error {
  readonly status: number
  readonly faults: readonly ApiFault[]
  readonly requestId: string | undefined
  /** Seconds until the server accepts another attempt, if the response contains them. */
  readonly retryAfter: number | undefined
  /** The two factor provider whose code the server requires: EMAIL or APP_AUTHENTICATOR. */
  readonly codeType: string | undefined
  /** Seconds by which the clock of the authenticator app is ahead, or behind if negative. */
  readonly clockOffset: number | undefined
  /** The session has ended. False for a wrong password or code. */
  readonly sessionEnded: boolean
  readonly call: FailedCall | undefined

  constructor(details: FailureDetails) {
    const { status, faults, sessionEnded = false, cause } = details
    super(faults.map(({ code, message }) => `${code} ${message}`).join('; '), { cause })
    this.name = 'ApiFailure'
    this.status = status
    this.faults = faults
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.codeType = details.codeType
    this.clockOffset = details.clockOffset
    this.sessionEnded = sessionEnded
    this.call = details.call
  }

  has(code: string): boolean {
    return this.faults.some((fault) => fault.code === code)
  }
}

/** Calls the API and returns the document of the response; `undefined` for a response without one. */
export async function api<T>(path: string, options: ApiOptions): Promise<T> {
  return (await apiWithTag<T>(path, options)).document
}

/** Like `api`, with the ETag of the document for a later If-Match. */
export async function apiWithTag<T>(
  path: string,
  given: ApiOptions,
): Promise<{ document: T; etag: string | undefined }> {
  const sent = Date.now()
  const options = asOfMoment(path, given)
  const once = options.method === 'POST' && options.once
  const headers = { ...options.headers, ...(once && { 'Idempotency-Key': keyOf(once, path) }) }
  const attempt = async () => {
    const response = await send(path, { ...options, headers })
    noteServerDate(response.headers.get('Date'))
    return {
      response,
      failure: response.ok ? undefined : await failureOf(response, { method: options.method ?? 'GET', path }),
    }
  }
  const session = presentSession()
  let { response, failure } = await attempt()
  const isChange = options.method !== undefined && options.method !== 'GET'
  // Another tab or form has signed in meanwhile: the refusal is about the session before, not the present one.
  if (failure?.sessionEnded && presentSession() !== session) {
    if (isChange && presentSession().user !== session.user) throw ofFormerUser(failure)
    ;({ response, failure } = await attempt())
  }
  if (failure?.sessionEnded && isChange && (await newSession.wait()))
    ({ response, failure } = await attempt())
  if (failure?.has('SIGN-IN-6') && (await proof.wait())) ({ response, failure } = await attempt())
  for (let wait = 0; failure?.has('IDEMPOTENCY-3') && wait < MOST_WAITS; wait++) {
    await pause(failure.retryAfter ?? 1)
    ;({ response, failure } = await attempt())
  }
  if (once) noteOutcome(once, path, failure)
  if (failure) throw failure
  noteChange({ call: callOf(path, { ...options, headers }), sent })
  const document = await documentOf(response, path, options)
  return { document: document as T, etag: response.headers.get('ETag') ?? undefined }
}

/** Adds the moment of the query's client. Throws if there is no past of the path: the present must not be shown in its place. */
function asOfMoment(path: string, options: ApiOptions): ApiOptions {
  if (!('meta' in options) || options.meta?.asof === undefined) return options
  const query = queryAsOf(options.meta, path, options.query)
  if (query) return { ...options, query }
  throw new ApiFailure({ status: 410, faults: [{ code: 'NO-PAST', message: 'There is no past of this.' }] })
}

/** Nothing was changed, and the present user's session goes on. */
const ofFormerUser = ({ status, call, requestId }: ApiFailure): ApiFailure =>
  new ApiFailure({
    status,
    faults: [faultOfStatus(status)],
    ...(call && { call }),
    ...(requestId !== undefined && { requestId }),
  })

async function documentOf(
  response: Response,
  path: string,
  { method = 'GET', onProgress }: ApiOptions,
): Promise<unknown> {
  if (response.status === 204) return undefined
  if (!onProgress) return response.json()
  for await (const { event, data = '' } of messagesOf(response.body)) {
    if (event === 'progress') onProgress(JSON.parse(data) as Progress)
    else if (event === 'errors') throw lateFailure(JSON.parse(data), response, { method, path })
    else return JSON.parse(data)
  }
  throw new ApiFailure({ status: 0, faults: [faultOfStatus(0)] })
}

/** The refusal of a change whose response had begun. */
function lateFailure(document: { status: number }, { headers }: Response, call: FailedCall): ApiFailure {
  const { status } = document
  const faults = faultsOf(document)
  const requestId = headers.get('X-Request-Id')
  return new ApiFailure({
    status,
    faults: faults.length > 0 ? faults : [faultOfStatus(status)],
    ...(requestId !== null && { requestId }),
    call,
  })
}

/** How often a repeat asks again while the first request runs. */
const MOST_WAITS = 10

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000))

function callOf(path: string, { method = 'GET', query = {}, body, headers }: ApiOptions): Call {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return {
    method,
    address: search.size > 0 ? `${path}?${search}` : path,
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && !isSentAsItIs(body) && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body,
  }
}

async function send(path: string, options: ApiOptions): Promise<Response> {
  const { signal, keepalive, onProgress } = options
  const call = callOf(path, options)
  noteCall(call)
  const { method, address, headers, body } = call
  const { user, viewer } = presentSession()
  // The server refuses it once the view of this user has ended.
  const isInView = viewer !== undefined && path !== '/api/session'
  try {
    return await fetch(address, {
      method,
      headers: {
        ...headers,
        ...(onProgress && { Accept: 'text/event-stream' }),
        ...(isInView && { 'X-See-As': String(user) }),
        'X-User-Idle': String(idleSeconds()),
      },
      ...(body !== undefined && { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiFailure({ status: 0, faults: [faultOfStatus(0)], cause })
  }
}

/** The browser sets the content type of a form. */
const isSentAsItIs = (body: unknown): body is URLSearchParams | Blob =>
  body instanceof URLSearchParams || body instanceof Blob

async function failureOf(response: Response, call: FailedCall): Promise<ApiFailure> {
  const { path } = call
  const { status, headers } = response
  const codeAsked = vendorHeader(headers, 'otp')
  const sessionEnded = status === 401 && path !== '/api/session' && codeAsked === undefined
  const faults = sessionEnded ? [] : faultsOf(await response.json().catch(() => undefined))
  return new ApiFailure({
    status,
    faults: faults.length > 0 ? faults : [faultOfStatus(status)],
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: Number(headers.get('Retry-After')) || undefined,
    codeType: codeAsked?.match(/type=(\w+)/)?.[1],
    clockOffset: Number(vendorHeader(headers, 'otp-clock')) || undefined,
    sessionEnded,
    call,
  })
}

/** `X-<Vendor>-OTP` means that the session is valid and a verification code is missing or wrong. */
const vendorHeader = (headers: Headers, name: 'otp' | 'otp-clock'): string | undefined =>
  [...headers].find(([key]) => new RegExp(`^x-.+-${name}$`, 'i').test(key))?.[1]

function faultsOf(document: unknown): ApiFault[] {
  if (typeof document !== 'object' || document === null || !('collection' in document)) return []
  return Array.isArray(document.collection) ? document.collection.filter(isFault) : []
}

const isFault = (item: unknown): item is ApiFault =>
  typeof item === 'object' &&
  item !== null &&
  'code' in item &&
  typeof item.code === 'string' &&
  'message' in item &&
  typeof item.message === 'string' &&
  (!('field' in item) || typeof item.field === 'string')

const messages: Record<number, string> = {
  0: 'No answer came. Check your connection and try again.',
  401: 'Nothing was changed. Please try again.',
  403: 'You may not do this.',
  404: 'This does not exist, or you may not see it.',
  412: 'This was changed by somebody else in the meantime.',
  429: 'Too many attempts. Wait a moment and try again.',
}

const faultOfStatus = (status: number): ApiFault => ({
  code: status === 0 ? 'NETWORK' : String(status),
  message: messages[status] ?? 'The server could not answer. Try again in a moment.',
})
