#!/usr/bin/python
# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

# Made by "npm run ansible" from the description of the API. Do not change it by hand.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: nat_rule
short_description: Create, change or delete a NAT rule
version_added: 1.0.0
description:
  - Makes a NAT rule as the options say. What no option names stays as it is.
  - Several things are faster and safer in one document, by the module M(cloud.console.plan).
author: Cloud Console (@cloud-console)
options:
  datacenter:
    description: >-
      The name of its datacenter.
    type: str
    required: true
  network:
    description: >-
      The name of its NAT network.
    type: str
  type:
    description: >-
      Whether the rule translates sources (SNAT) or destinations (DNAT).
    type: str
    choices: [SNAT, DNAT]
    required: true
  protocol:
    description: >-
      The protocol.
    type: str
    choices: [TCP, UDP, ANY]
  original:
    description: >-
      The address before the translation.
    type: str
    required: true
  original_port:
    description: >-
      The port before the translation, or the first one of a range.
    type: int
  original_port_end:
    description: >-
      The last port of a range; 0: no range.
    type: int
  translated:
    description: >-
      The address after the translation.
    type: str
    required: true
  translated_port:
    description: >-
      The port after the translation.
    type: int
  sources:
    description: >-
      CIDRs of the clients that a DNAT rule is for, of the family of the NAT IP. Empty: all clients. Missing: a new rule is
      for all, another one stays as it is.
    type: list
    elements: str
  enabled:
    description: >-
      Whether the gateway carries the rule.
    type: bool
  ends:
    description: >-
      When it ends by itself (RFC 3339). Empty: never. Missing: it stays as it is.
    type: str
  virtual_datacenter:
    description: >-
      The name of the virtual datacenter that holds the IP. Empty, none.
    type: str
  virtual_machine:
    description: >-
      The name of the virtual machine.
    type: str
  description:
    description: >-
      What it is for. Line breaks are kept.
    type: str
  tags:
    description: >-
      Its tags, in their order.
    type: list
    elements: str
  state:
    description: With C(absent) it is deleted, and only the options count that say which one it is.
    type: str
    choices: [present, absent]
    default: present
extends_documentation_fragment:
  - cloud.console.connection
  - cloud.console.connection.planned
'''

EXAMPLES = r'''
- name: It is there
  cloud.console.nat_rule:
    datacenter: Madrid
    type: DNAT
    protocol: TCP
    original: 203.0.113.7
    original_port: 443
    translated: 192.168.1.10
    translated_port: 8443

- name: It is not there
  cloud.console.nat_rule:
    datacenter: Madrid
    type: DNAT
    protocol: TCP
    original: 203.0.113.7
    original_port: 443
    translated: 192.168.1.10
    state: absent
'''

RETURN = r'''
operations:
  description: What was or would be created, changed or deleted. Empty if it is as it should be.
  returned: success
  type: list
  elements: dict
event:
  description: The address of the event, by which the change can be undone.
  returned: changed
  type: str
refusals:
  description: The rules that refuse the change.
  returned: failure
  type: list
  elements: dict
'''

from ansible_collections.cloud.console.plugins.module_utils.planning import run_for

OPTIONS = {
    'datacenter': ('datacenter', dict(type='str', required=True)),
    'network': ('network', dict(type='str')),
    'type': ('type', dict(type='str', choices=['SNAT', 'DNAT'], required=True)),
    'protocol': ('protocol', dict(type='str', choices=['TCP', 'UDP', 'ANY'])),
    'original': ('original', dict(type='str', required=True)),
    'original_port': ('originalPort', dict(type='int')),
    'original_port_end': ('originalPortEnd', dict(type='int')),
    'translated': ('translated', dict(type='str', required=True)),
    'translated_port': ('translatedPort', dict(type='int')),
    'sources': ('sources', dict(type='list', elements='str')),
    'enabled': ('enabled', dict(type='bool')),
    'ends': ('ends', dict(type='str')),
    'virtual_datacenter': ('virtualDatacenter', dict(type='str')),
    'virtual_machine': ('virtualMachine', dict(type='str')),
    'description': ('description', dict(type='str')),
    'tags': ('tags', dict(type='list', elements='str')),
}


def main():
    run_for('natrules', OPTIONS)


if __name__ == '__main__':
    main()
