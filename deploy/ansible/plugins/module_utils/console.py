# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)
"""The API of the console for modules and plugins."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import re
import time
import uuid

from ansible.module_utils.basic import env_fallback
from ansible.module_utils.common.text.converters import to_native
from ansible.module_utils.six.moves.urllib.error import HTTPError
from ansible.module_utils.six.moves.urllib.parse import urlencode, urlparse
from ansible.module_utils.urls import open_url

CONNECTION = dict(
    api_url=dict(type='str', required=True, fallback=(env_fallback, ['API_URL'])),
    api_token=dict(type='str', required=True, no_log=True, fallback=(env_fallback, ['API_TOKEN'])),
    validate_certs=dict(type='bool', default=True),
    ca_path=dict(type='path'),
    timeout=dict(type='int', default=60),
    insecure=dict(type='bool', default=False),
)

# A busy server names when to come again (seconds). No pause is longer, and no request is repeated more often.
LONGEST_PAUSE = 30
ATTEMPTS = 4


class ConsoleError(Exception):
    """A refusal or a server that cannot be reached. Its message is one line for each fault."""

    def __init__(self, message, status=None, codes=()):
        super(ConsoleError, self).__init__(message)
        self.status = status
        self.codes = codes


class Console(object):
    """Sends requests with the token of a program."""

    def __init__(self, api_url, api_token, validate_certs=True, ca_path=None, timeout=60, insecure=False):
        self.url = base_of(api_url, insecure)
        self.token = token_of(api_token)
        self.options = dict(validate_certs=validate_certs, ca_path=ca_path, timeout=timeout)

    @classmethod
    def of(cls, params):
        """The console that the options of a module or plugin name."""
        return cls(**dict((name, params[name]) for name in CONNECTION))

    def get(self, path, **query):
        return self._send('GET', path + ('?' + urlencode(query, True) if query else ''))

    def post(self, path, document=None, key=None):
        """Happens once, however often it is repeated."""
        return self._send('POST', path, document, {'Idempotency-Key': key or str(uuid.uuid4())})

    def everything(self, path, **query):
        """The items of all pages of a list."""
        page = self.get(path, limit=500, **query)
        while page:
            for item in page['collection']:
                yield item
            following = [link['href'] for link in page['links'] if link['rel'] == 'next']
            page = self._send('GET', following[0], is_whole=True) if following else None

    def _send(self, method, path, document=None, headers=None, is_whole=False):
        url = path if is_whole else self.url + path
        if is_whole and not url.startswith(self.url + '/'):
            raise ConsoleError('The server links to another server: %s' % url)
        sent = {'Authorization': 'Token ' + self.token, 'Accept': 'application/json'}
        sent.update(headers or {})
        data = None
        if document is not None:
            sent['Content-Type'] = 'application/json'
            data = json.dumps(document)
        for attempt in range(ATTEMPTS):
            try:
                answer = open_url(url, method=method, data=data, headers=sent, follow_redirects='none', **self.options)
                text = answer.read()
                return json.loads(text) if text else None
            except HTTPError as error:
                pause = re.match(r'[0-9]{1,9}\Z', error.headers.get('Retry-After', ''))
                if error.code not in (429, 503) or not pause or attempt == ATTEMPTS - 1:
                    raise refusal_of(error)
                time.sleep(min(int(pause.group()), LONGEST_PAUSE))
            except Exception as error:
                raise ConsoleError('%s cannot be reached: %s' % (self.url, to_native(error)))


def base_of(api_url, insecure):
    """The address with /api, which may be missing. Another machine's must be https: others could read the token on the way."""
    try:
        host = urlparse(api_url).hostname or ''
    except ValueError:
        host = ''
    if not re.match(r'https?://', api_url) or not host:
        raise ConsoleError('api_url is no address. Example: https://cloud.example.com/api')
    is_here = re.match(r'(localhost|127(\.[0-9]{1,3}){3}|::1)\Z', host)
    if api_url.startswith('http:') and not is_here and not insecure:
        raise ConsoleError('http://%s is not encrypted: others could read the token. Use https, or set insecure.' % host)
    base = api_url.rstrip('/')
    return base if base.endswith('/api') else base + '/api'


def token_of(api_token):
    """Without the line break of a file. The error about any other text would show it."""
    token = api_token.strip()
    if not re.match(r'[!-~]+\Z', token):
        raise ConsoleError('api_token must be one word of ASCII letters')
    return token


def refusal_of(error):
    """The codes and messages of the errors document, else the status."""
    try:
        faults = json.loads(error.read())['collection']
        lines = ['%s: %s' % (fault['code'], fault['message']) for fault in faults]
        return ConsoleError('\n'.join(lines), error.code, [fault['code'] for fault in faults])
    except Exception:
        reason = ': the token is wrong, has expired, or may not be used from here' if error.code == 401 else ''
        return ConsoleError('The server answered %d%s' % (error.code, reason), error.code)


def link_of(document, rel):
    """The address of a link, or None."""
    for link in document['links']:
        if link['rel'] == rel:
            return link['href']
    return None
