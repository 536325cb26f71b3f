// Renders a Helm chart without Helm, using the template engine and functions that Helm is built from:
// render-chart <chart> <values.json>. Debian: golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(file string) map[string]interface{} {
	text, err := os.ReadFile(file)
	check(err)
	values := map[string]interface{}{}
	check(yaml.Unmarshal(text, &values))
	return values
}

func merge(into, from map[string]interface{}) {
	for name, value := range from {
		inner, isMap := value.(map[string]interface{})
		outer, wasMap := into[name].(map[string]interface{})
		if isMap && wasMap {
			merge(outer, inner)
		} else {
			into[name] = value
		}
	}
}

func main() {
	chart := os.Args[1]
	values := readYaml(filepath.Join(chart, "values.yaml"))
	given := map[string]interface{}{}
	check(json.Unmarshal([]byte(os.Args[2]), &given))
	merge(values, given)
	about := readYaml(filepath.Join(chart, "Chart.yaml"))

	root := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	root.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = root.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"AppVersion": about["appVersion"], "Name": about["name"]},
		"Release": map[string]interface{}{"Name": "crier", "Service": "Helm", "Namespace": "default"},
	}
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "_") {
			continue
		}
		var text bytes.Buffer
		check(root.ExecuteTemplate(&text, filepath.Base(file), data))
		fmt.Printf("---\n%s\n", text.String())
	}
}
