import { idleSeconds } from '#lib/client/activity'
import { newSession, proof } from '#lib/client/waiting'

/** One coded fault of an errors document (docs/api.md, "Error documents"). */
export type ApiFault = { code: string; message: string }

export type ApiOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  query?: Record<string, string | number | boolean | undefined>
  /** A document to send as JSON, or a form. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** The request continues after the page has closed. */
  keepalive?: boolean
}

type FailureDetails = {
  status: number
  faults: ApiFault[]
  requestId?: string
  retryAfter?: number
  codeType?: string
  clockOffset?: number
  sessionEnded?: boolean
  cause?: unknown
}

/** Thrown by a failed call. Status 0: the server could not be reached. */
export class ApiFailure extends Error {
  readonly status: number
  readonly faults: readonly ApiFault[]
  readonly requestId: string | undefined
  /** Seconds until the server accepts another attempt, if it says so. */
  readonly retryAfter: number | undefined
  /** The two factor provider whose code the server requires: EMAIL or APP_AUTHENTICATOR. */
  readonly codeType: string | undefined
  /** Seconds by which the clock of the authenticator app is ahead, or behind if negative. */
  readonly clockOffset: number | undefined
  /** The session has ended. False for a wrong password or code. */
  readonly sessionEnded: boolean

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
  }

  has(code: string): boolean {
    return this.faults.some((fault) => fault.code === code)
  }
}

/** Calls the API and returns the document of the response; `undefined` for a response without one. */
export async function api<T>(path: string, options?: ApiOptions): Promise<T> {
  return (await apiWithTag<T>(path, options)).document
}

/** Like `api`, with the ETag of the document for a later If-Match. */
export async function apiWithTag<T>(
  path: string,
  options: ApiOptions = {},
): Promise<{ document: T; etag: string | undefined }> {
  const attempt = async () => {
    const response = await send(path, options)
    return { response, failure: response.ok ? undefined : await failureOf(response, path) }
  }
  let { response, failure } = await attempt()
  const isChange = options.method !== undefined && options.method !== 'GET'
  if (failure?.sessionEnded && isChange && (await newSession.wait()))
    ({ response, failure } = await attempt())
  if (failure?.has('SIGN-IN-6') && (await proof.wait())) ({ response, failure } = await attempt())
  if (failure) throw failure
  const document = response.status === 204 ? undefined : await response.json()
  return { document: document as T, etag: response.headers.get('ETag') ?? undefined }
}

async function send(
  path: string,
  { method = 'GET', query = {}, body, headers, signal, keepalive }: ApiOptions,
): Promise<Response> {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  try {
    return await fetch(search.size > 0 ? `${path}?${search}` : path, {
      method,
      headers: {
        Accept: 'application/json',
        'X-User-Idle': String(idleSeconds()),
        ...(body !== undefined && !isForm(body) && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm(body) ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiFailure({ status: 0, faults: [faultOfStatus(0)], cause })
  }
}

/** The browser sets the content type of a form. */
const isForm = (body: unknown): body is URLSearchParams => body instanceof URLSearchParams

async function failureOf(response: Response, path: string): Promise<ApiFailure> {
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
  typeof item.message === 'string'

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
