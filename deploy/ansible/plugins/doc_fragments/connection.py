# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options by which modules and plugins reach the console."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):
    DOCUMENTATION = r'''
options:
  api_url:
    description: The address of the API, such as C(https://cloud.example.com/api). Without it C(API_URL) of the environment counts.
    type: str
    required: true
  api_token:
    description: The token of a program, which a user makes in the console. Without it C(API_TOKEN) of the environment counts.
    type: str
    required: true
  validate_certs:
    description: Whether the certificate of the server must be valid.
    type: bool
    default: true
  ca_path:
    description: A file with the certificates to trust.
    type: path
  timeout:
    description: How long an answer may take, in seconds.
    type: int
    default: 60
  insecure:
    description: Sends the token to an C(http) address of another machine, where others could read it.
    type: bool
    default: false
'''

    PLANNED = r'''
options: {}
attributes:
  check_mode:
    description: The plan is made and shown, and not applied. It is tried as a whole, so it names every refusal.
    support: full
  diff_mode:
    description: The operations of the plan.
    support: full
'''

    PLUGIN = r'''
options:
  api_url:
    description: The address of the API, such as C(https://cloud.example.com/api).
    type: str
    required: true
    env:
      - name: API_URL
  api_token:
    description: The token of a program, which a user makes in the console.
    type: str
    required: true
    env:
      - name: API_TOKEN
  validate_certs:
    description: Whether the certificate of the server must be valid.
    type: bool
    default: true
  ca_path:
    description: A file with the certificates to trust.
    type: path
  timeout:
    description: How long an answer may take, in seconds.
    type: int
    default: 60
  insecure:
    description: Sends the token to an C(http) address of another machine, where others could read it.
    type: bool
    default: false
'''
