package pebble
